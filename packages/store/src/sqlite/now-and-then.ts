/** What is done beside everything that is asked, and need not be done each time. */

/** How often it is done. */
const EVERY_MS = 100;

/** Looking for what is old costs as much as an answer: it is done now and then, for as many as have asked since. */
export function nowAndThen(look: (at: number, asked: number) => void): (at: number, asked: number) => void {
  let [lookedAt, waiting] = [Number.NEGATIVE_INFINITY, 0];
  return (at, asked) => {
    waiting += asked;
    if (Math.abs(at - lookedAt) < EVERY_MS) return; // a clock may be set back
    look(at, waiting);
    [lookedAt, waiting] = [at, 0];
  };
}
