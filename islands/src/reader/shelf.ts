// Where a volume that is read without a connection is kept on this device: in a cache of its own, under the address of its home.

/** Addresses of what may be saved, and of its pages and articles: the home of each. */
const READ = /^(\/read\/[^/]+|\/(?:epaper|magazine)\/[^/]+\/[^/]+)(?:\/\d+|\/a\/\d+)?$/;
/** Pictures below such a home. */
const PICTURE = /^(?:\/read\/[^/]+\/(?:picture|area)|\/(?:epaper|magazine)\/[^/]+\/[^/]+\/(?:picture|photo))\//;

/** The home that a page belongs to; nothing where it is no page of a volume. */
export const homeOf = (path: string): string | undefined => READ.exec(path)?.[1];

/** Whether a picture of a volume is at an address. */
export const isPicture = (path: string): boolean => PICTURE.test(path);

/** The part of the site whose worker answers for a volume. */
export const scopeOf = (home: string): string => `/${home.split("/")[1]}/`;

/** Whether a cache is of a volume in a part of the site. */
export const isIn = (cache: string, scope: string): boolean =>
  cache.startsWith("read:/") ? cache.startsWith(`read:${scope}`) : cache.startsWith("read:") && scope === "/read/";
