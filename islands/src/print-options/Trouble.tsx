import type { ReactNode } from "react";
import { type Problem, SIGN_IN } from "../runtime/problem.js";

/** A failure, read out at once, and the way on. */
export function Trouble({ problem, children }: { problem: Problem; children?: ReactNode }) {
  return (
    <p className="error" role="alert">
      <span>{problem.text}</span> {problem.reason && <span>{problem.reason}</span>}{" "}
      {problem.signedOut && (
        <a href={SIGN_IN.href} target="_blank" rel="noopener">
          {SIGN_IN.text}
        </a>
      )}{" "}
      {children}
    </p>
  );
}
