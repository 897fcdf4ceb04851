// A component that reads a signal's .value without useSignals() renders once and never again, silently.
// This rule looks at types, so a plain { value } is left alone.

const SIGNALS = new Set(["Signal", "ReadonlySignal", "Computed"]);

/** Whether the type, or any part of a union, is a signal. */
function isSignal(type) {
  if (type.isUnion()) return type.types.some(isSignal);
  const name = (type.aliasSymbol ?? type.getSymbol())?.getName();
  return name !== undefined && SIGNALS.has(name);
}

/** The name that a function is known by: its own, or that of the constant it is given to. */
function nameOf(node) {
  if (node.id) return node.id.name;
  let parent = node.parent;
  // memo(function () {}), forwardRef(() => {})
  while (parent?.type === "CallExpression") parent = parent.parent;
  return parent?.type === "VariableDeclarator" && parent.id.type === "Identifier" ? parent.id.name : undefined;
}

/** Components and hooks run while React renders: that is when a read has to be tracked. */
const renders = (name) => name !== undefined && /^([A-Z]|use[A-Z])/.test(name);

export const useSignalsRule = {
  meta: {
    type: "problem",
    docs: { description: "require useSignals() in components and hooks that read a signal's value" },
    messages: { missing: "`{{name}}` reads a signal while rendering but never calls useSignals(): it would not update." },
    schema: [],
  },
  create(context) {
    const services = context.sourceCode.parserServices;
    // one entry per function being walked
    const stack = [];
    const enter = (node) => stack.push({ node, name: nameOf(node), tracked: false, read: undefined });
    const leave = () => {
      const { name, tracked, read } = stack.pop();
      if (read && !tracked && renders(name)) context.report({ node: read, messageId: "missing", data: { name } });
    };
    return {
      "FunctionDeclaration, FunctionExpression, ArrowFunctionExpression": enter,
      ":matches(FunctionDeclaration, FunctionExpression, ArrowFunctionExpression):exit": leave,
      CallExpression(node) {
        if (stack.length > 0 && node.callee.type === "Identifier" && node.callee.name === "useSignals") {
          stack.at(-1).tracked = true;
        }
      },
      "MemberExpression[property.name='value']"(node) {
        if (stack.length === 0 || !isSignal(services.getTypeAtLocation(node.object))) return;
        // writing is no read
        if (node.parent.type === "AssignmentExpression" && node.parent.left === node && node.parent.operator === "=") return;
        const frame = readingFrame();
        if (frame) frame.read ??= node;
      },
    };

    /** The component or hook whose rendering does the read; undefined inside handlers, effects and computed values. */
    function readingFrame() {
      for (let i = stack.length - 1; i >= 0; i -= 1) {
        const frame = stack[i];
        if (renders(frame.name)) return frame;
        // a callback of an array method runs while rendering; any other inner function runs later
        const call = frame.node.parent;
        const inline =
          call?.type === "CallExpression" &&
          call.callee.type === "MemberExpression" &&
          /^(map|filter|some|every|find|findIndex|flatMap|reduce|forEach|toSorted)$/.test(call.callee.property.name);
        if (!inline) return undefined;
      }
      return undefined;
    }
  },
};

export default { rules: { "use-signals": useSignalsRule } };
