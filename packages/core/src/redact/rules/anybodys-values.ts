/** What is typed where a value is wanted, or is left where there is none: it tells what went wrong, and of nobody anything. */
const ANYBODYS =
  /^(?:\[object Object\]|abc|all|any|bar|baz|current|default|example|false|first|foo|id|invalid|last|latest|nan|new|nil|none|null|sample|select 1|string|test|true|undefined|unknown|value)$/i;

/** Might anybody have sent this value? */
export function isAnybodys(value: string): boolean {
  return value.length <= 15 && ANYBODYS.test(value);
}
