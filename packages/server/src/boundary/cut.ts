/** Names come from the caller, who may send ten megabytes of one. */
export function cut(name: string): string {
  return name.length > 200 ? `${name.slice(0, 199)}…` : name;
}
