/** Prints what docs/server.md shows: one failing server, before and after. `npm run before-after`. */
import { beforeAndAfter } from './failing-orders.ts';

for (const { title, before, after } of await beforeAndAfter()) {
  for (const [when, message] of Object.entries({ before, after })) {
    const said = message === undefined ? '(no answer)' : JSON.stringify(message.result ?? message.error);
    console.log(`## ${title} (${when})\n${said}`);
  }
}
process.exit(0);
