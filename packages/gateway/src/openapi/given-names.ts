/** Names in a query that the operator gives. Here and in a worker. */

/** Is a name one of the operator's, as some server may read it? Many tell no capitals apart, and PHP takes `a[]` and ` a` for `a`. */
export function isOfTheOperator(name: string, given: readonly string[]): boolean {
  const read = name.trim().toLowerCase();
  return given.some((own) => {
    const known = own.toLowerCase();
    return read === known || read.startsWith(`${known}[`);
  });
}
