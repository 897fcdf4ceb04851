import signals from "@preact/eslint-plugin-signals";
import compat from "eslint-plugin-compat";
import hooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import bindery from "./lint/use-signals.mjs";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "src/generated/"] },
  {
    files: ["src/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { "react-hooks": hooks, signals, bindery, compat },
    rules: {
      // what browserslist in package.json has not is looked for before it is called
      "compat/compat": "error",
      ...hooks.configs.recommended.rules,
      "signals/no-signal-write-in-computed": "error",
      "signals/no-value-after-await": "error",
      "signals/no-signal-truthiness": "error",
      "signals/no-signal-in-component-body": "error",
      "signals/no-conditional-value-read": "error",
      "bindery/use-signals": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
    },
  },
  {
    files: ["src/**/*.test.{ts,tsx}"],
    rules: {
      // node:test returns promises that the runner itself awaits
      "@typescript-eslint/no-floating-promises": "off",
      // a test looks at a signal's value; it does not follow it
      "signals/no-value-after-await": "off",
    },
  },
);
