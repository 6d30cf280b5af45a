/** Things for whoever runs the server to read: one JSON object a line. */
export function lines(things: readonly object[]): string {
  return things.map((thing) => JSON.stringify(thing)).join('\n');
}
