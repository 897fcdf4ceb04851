import { grouped } from "../runtime/money.js";

/** An amount in 分 as pages show it; a dash where there is none. */
export function Money({ fen, className = "" }: { fen: number | undefined; className?: string }) {
  if (fen === undefined) return <span className={className}>—</span>;
  return (
    <span className={`money ${className}`.trim()}>
      <small>¥</small>
      {grouped(fen)}
    </span>
  );
}
