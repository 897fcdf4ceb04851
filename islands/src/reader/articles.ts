/** Whether a link on a page leads to an article, or to the part of one that stands on the page. */
export const isArticle = (address: string): boolean => /\/a\/\d+(?:#part-\d+)?$/.test(address);
