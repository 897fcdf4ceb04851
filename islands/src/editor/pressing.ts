// Buttons that may become useless by being pressed. A browser takes the focus from what is disabled, and keys go nowhere then.

/** What a button has that does something only while it can; it keeps the focus. */
export const pressing = (can: boolean, run: () => void) => ({ "aria-disabled": can ? undefined : true, onClick: can ? run : undefined });
