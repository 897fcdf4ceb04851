// New lists made of others.

export const without = <T>(list: readonly T[], place: number): T[] => [...list.slice(0, place), ...list.slice(place + 1)];

export const inserted = <T>(list: readonly T[], place: number, item: T): T[] => [...list.slice(0, place), item, ...list.slice(place)];

export const replaced = <T>(list: readonly T[], place: number, item: T): T[] => [...list.slice(0, place), item, ...list.slice(place + 1)];

export const sorted = <T>(list: readonly T[], compare: (one: T, other: T) => number): T[] => [...list].sort(compare);
