/** The API of an upstream: read when the upstream is made, and followed while it changes. */
import type { Api } from '../openapi/api.ts';
import type { OpenApiSettings } from '../settings/settings.ts';

/** What became of the operations of a document: all of them are tools, or there is a reason why not. */
interface OperationsTally {
  /** Absent as long as the document has not been read. */
  tools?: number;
  skipped: readonly string[];
}

/** An API, for all conversations there are about it. */
export interface FollowedApi {
  /** As it is now; until its document has been read, callers wait. */
  get(): Promise<Api>;
  /** Looks now whether the document has changed. */
  look(): void;
  /** Calls `changed` whenever the tools are others; what it gives stops that. */
  whenChanged(changed: () => void): () => void;
  /** What became of the operations of its document. */
  readonly operations: Readonly<OperationsTally>;
}

/** Who is told about it. */
interface ApiContext {
  /** Something an operator should know. */
  readonly note: (text: string) => void;
  /** The upstream's tools became known without anybody asking for them. */
  readonly onTools: (tools: unknown) => void;
}

/** Of operations that are no tools, this many are lines of the log; the status has all of them. */
const MAX_TOLD = 100;

/** Reads the document of an API, and follows it. */
export function followApi(settings: OpenApiSettings, { note, onTools }: ApiContext): FollowedApi {
  const followers = new Set<() => void>();
  const operations: OperationsTally = { skipped: [] };
  // Loaded when it is needed: the validator weighs more than the rest of the gateway.
  const kept = import('../openapi/api.ts').then(({ keepApi }) =>
    keepApi(settings, {
      onApi({ tools, hints, skipped, notes }, isOther) {
        // That they take keys is for whoever has listed them: for everybody else, keys are honoured here.
        onTools(hints.map(({ name, annotations }) => ({ name, annotations })));
        operations.tools = tools.size;
        operations.skipped = skipped;
        if (isOther) note(`the document has changed: ${tools.size} tools`);
        for (const text of [...skipped.slice(0, MAX_TOLD).map((why) => `no tool for ${why}`), ...notes])
          note(text);
        if (isOther) for (const changed of [...followers]) changed();
      },
      onFailed: ({ message }, isKept) =>
        note(`the document cannot be used: ${message}${isKept ? '; the tools stay as they were' : ''}`),
    }),
  );
  return {
    get: () => kept.then((api) => api.get()),
    look: () => void kept.then((api) => api.look()),
    whenChanged(changed) {
      followers.add(changed);
      return () => followers.delete(changed);
    },
    operations,
  };
}
