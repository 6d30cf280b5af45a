/** Says of each count that has to be 0 whether it is, and what the gateways logged as their own mistakes. True: all are. */
export function tellWrong(
  wrong: readonly (readonly [count: number, what: string])[],
  bugs: readonly string[],
): boolean {
  for (const [count, what] of wrong)
    console.log(`  ${count === 0 ? 'ok  ' : 'MISS'} ${count} ${what} (at most 0)`);
  for (const bug of new Set(bugs)) console.log(`       ${bug}`);
  return wrong.every(([count]) => count === 0);
}
