import { describe, it } from "node:test";
import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import { useSignalsRule } from "./use-signals.mjs";

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      ecmaFeatures: { jsx: true },
      projectService: { allowDefaultProject: ["*.tsx"] },
      tsconfigRootDir: process.cwd(),
    },
  },
});

const types = `
  declare class Signal<T> { value: T }
  declare const count: Signal<number>;
  declare const rows: Signal<{ id: string }>[];
  declare function useSignals(): void;
`;
const errors = [{ messageId: "missing" }];

const filename = "case.tsx";
tester.run("use-signals", useSignalsRule, {
  valid: [
    `${types} function Price() { useSignals(); return <p>{count.value}</p>; }`,
    `${types} const Price = () => { useSignals(); return <p>{count.value}</p>; };`,
    `${types} function Price() { return <button onClick={() => { console.log(count.value); }} />; }`,
    `${types} function Price() { return <button onClick={() => { count.value = 1; }} />; }`,
    `${types} function total() { return count.value; }`,
    `function Field({ value }: { value: { value: string } }) { return <p>{value.value}</p>; }`,
  ].map((code) => ({ code, filename })),
  invalid: [
    `${types} function Price() { return <p>{count.value}</p>; }`,
    `${types} const Price = () => <p>{count.value}</p>;`,
    `${types} function Rows() { return <ul>{rows.map((row) => <li>{row.value.id}</li>)}</ul>; }`,
    `${types} function useTotal() { return count.value * 2; }`,
  ].map((code) => ({ code, filename, errors })),
});
