/** Texts by class. What must not survive stands between `⟦` and `⟧`; see `redact-random.ts` for the placeholders. */
export type Classes = Readonly<Record<string, readonly string[]>>;
