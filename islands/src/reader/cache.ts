/** The cache of a volume, by its home. A shared work's has its name without the place, since there were those of works alone. */
export const cacheOf = (home: string): string => `read:${home.replace(/^\/read\//, "")}`;
