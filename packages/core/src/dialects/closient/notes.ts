import type { Notes } from '../notes.ts';

/** What the document's own client does. */
const STEPS: { readonly [code: number | string]: readonly string[] } = {
  [-32003]: ['Respect retry_after'],
  [-32200]: ['Surface it to the user, do not retry'],
  [-32300]: ['Back off'],
};

/** For the catalogue. */
export const notes: Notes = ({ code, name }) => ({
  tell: `data.error_code "${name}"`,
  steps: STEPS[code] ?? [],
});
