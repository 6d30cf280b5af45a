/** A transport whose SDK is loaded when it starts, so that importing us needs neither of the two. */

/** Methods of the SDKs' HTTP transports that somebody may call before the transport has started. */
const METHODS: ReadonlySet<PropertyKey> = new Set([
  'send',
  'close',
  'finishAuth',
  'terminateSession',
  'resumeStream',
  'setProtocolVersion',
  'setSupportedProtocolVersions',
]);

type Members = { [name: PropertyKey]: unknown };

/** Stands in for a transport until it starts, and is that transport from then on. */
export function lazyTransport<T extends object>(load: () => Promise<T>): T {
  const held: Members = {};
  let real: Members | undefined;
  let loading: Promise<Members> | undefined;

  const ready = (): Promise<Members> => {
    loading ??= load().then((made) => {
      real = Object.assign(made as Members, held);
      return real;
    });
    return loading;
  };
  /** The class's own method: what stands in its place by now calls us. */
  const later =
    (name: PropertyKey) =>
    async (...args: unknown[]): Promise<unknown> => {
      const transport = await ready();
      const method = (Object.getPrototypeOf(transport) as Members)[name];
      return typeof method === 'function' ? method.apply(transport, args) : undefined;
    };

  return new Proxy(held, {
    get(_, name) {
      if (real !== undefined) {
        const value: unknown = Reflect.get(real, name, real);
        return typeof value === 'function' && name !== 'constructor' ? value.bind(real) : value;
      }
      if (Object.hasOwn(held, name)) return held[name];
      return name === 'start' || METHODS.has(name) ? later(name) : undefined;
    },
    set: (_, name, value) => Reflect.set(real ?? held, name, value, real ?? held),
    has: (_, name) =>
      real === undefined ? name in held || name === 'start' || METHODS.has(name) : name in real,
    getPrototypeOf: () => Object.getPrototypeOf(real ?? held) as object | null,
  }) as T;
}
