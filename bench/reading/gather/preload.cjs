/**
 * Loaded into a server before its own code: every name resolves to this machine, where the upstream of the harness
 * answers, unless the mode is `offline`: then names resolve as they do without a network.
 */
const dns = require('node:dns');
const { readFileSync } = require('node:fs');

const file = process.env.GATHER_MODE_FILE;
const lookup = dns.lookup;

function isOffline() {
  try {
    return readFileSync(file, 'utf8') === 'offline';
  } catch {
    return false;
  }
}

dns.lookup = function redirected(host, options, done) {
  const callback = typeof options === 'function' ? options : done;
  const all = typeof options === 'object' && options !== null && options.all === true;
  if (isOffline()) return lookup.call(dns, host, options, done);
  process.nextTick(() => {
    if (all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
    else callback(null, '127.0.0.1', 4);
  });
  return {};
};
dns.promises.lookup = async (host, options) => {
  if (isOffline())
    throw Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`), {
      code: 'EAI_AGAIN',
      errno: -3001,
      syscall: 'getaddrinfo',
      hostname: host,
    });
  const address = { address: '127.0.0.1', family: 4 };
  return options?.all === true ? [address] : address;
};
