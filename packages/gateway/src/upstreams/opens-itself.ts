/** A link that many share and that opens its conversation itself, for somebody who opens whatever is behind a URL. */
import { encode, type Link } from '@mayday/relay';

const OPENED: Buffer = encode({ jsonrpc: '2.0', id: 'mayday-open', result: {} });

/** The same link. That it is opened is answered here: whether that works shows when it is first asked something. */
export function opensItself(link: Link): Link {
  return {
    request(message, sink) {
      if (message.peek.method !== 'initialize') return link.request(message, sink);
      let isWanted = true;
      queueMicrotask(() => {
        if (isWanted) sink.answered(OPENED);
      });
      return () => {
        isWanted = false;
      };
    },
    canGoOn: (message) => link.canGoOn?.(message) === true,
    send: (message) => link.send(message),
    get isBusy() {
      return link.isBusy === true;
    },
    get told() {
      return link.told;
    },
    get run() {
      return link.run;
    },
    get silence() {
      return link.silence;
    },
    close: () => link.close(),
  };
}
