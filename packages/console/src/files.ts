/** Where the pages of the console are. Whoever serves them needs to know no more of them. */

/** The folder with `index.html` and what belongs to it. It is made by the build, and found from the source too. */
export const PAGES: URL = new URL('../dist/pages/', import.meta.url);
