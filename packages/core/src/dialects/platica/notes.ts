import { type Notes, TOP } from '../notes.ts';
import { workspaceRow } from './codes.ts';

/** What the document's tables say under "How to fix", to the letter where they say it to the caller. */
const STEPS: { readonly [code: number | string]: readonly string[] } = {
  400: ['Read errors[] in the response and fix the flagged field'],
  401: ['Regenerate the Key in the Platica dashboard', 'Check the Authorization header'],
  403: ['Use a key with the right scope'],
  404: ['Confirm the ID', 'If the key is multi-workspace, try passing workspace'],
  422: ['Inspect the error details'],
  500: ['Retry', 'If it persists, check the logs or contact support'],
  [-32001]: ['Send the Authorization header in Bearer pl_key_... format'],
  [-32000]: ['Use POST: the server only accepts POST'],
  [-32602]: ['Correct the JSON-RPC call itself, not the arguments of the tool'],
  [-32603]: ['Retry'],
};

/** For the catalogue. */
export const notes: Notes = ({ code }) => {
  if (code === workspaceRow.code)
    return {
      steps: ['Pass workspace: "<id>" in the arguments'],
      tell: `"code": 400 in the body, and an "error" that begins with these words`,
    };
  const steps = STEPS[code] ?? [];
  return Number(code) < 0 ? { ...TOP, steps } : { steps, tell: `"code": ${code} beside "error" in the body` };
};
