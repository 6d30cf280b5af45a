/** Under this name the joined endpoint is kept; no upstream can have it. */
export const JOINED = '';
