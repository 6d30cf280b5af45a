import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('a private IPv6 address goes as a whole', () => {
  test.each([
    ['connect EHOSTUNREACH fd4a:2211:9c0e::1f', 'connect EHOSTUNREACH [ip:1]'],
    ['connect ECONNREFUSED fd4a:2211::1f:6379', 'connect ECONNREFUSED [ip:1]'],
    ['connect ETIMEDOUT fdaa:0021:7::3', 'connect ETIMEDOUT [ip:1]'],
    ['connect ETIMEDOUT fc4a:2211::3 - Local (:::0)', 'connect ETIMEDOUT [ip:1] - Local (:::0)'],
    ['dial tcp fd4a:2211:9c0e::1f: i/o timeout', 'dial tcp [ip:1]: i/o timeout'],
    ['dial tcp [fd4a:2211:9c0e::1f]:443: i/o timeout', 'dial tcp [[ip:1]]:443: i/o timeout'],
    ['getaddrinfo ENOTFOUND fd4a:2211::1f', 'getaddrinfo ENOTFOUND [ip:1]'],
    ['host fd4a:2211::1f is down', 'host [ip:1] is down'],
    ['connect ECONNREFUSED fd4a:2211:9c0e:1:2:3:4:5:6379', 'connect ECONNREFUSED [ip:1]:6379'],
    ['no route to fc4a:2211:9c0e:1:2:3:4:5', 'no route to [ip:1]'],
    ['no route to fe80::9c0e:1%eth0', 'no route to [ip:1]'],
  ])('%s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });

  test.each([
    ['connect ECONNREFUSED cache7:6379', 'connect ECONNREFUSED [host:1]:6379'],
    ['connect ECONNREFUSED fade:6379', 'connect ECONNREFUSED [host:1]:6379'],
  ])('a host with a port is still a host: %s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });

  test.each([
    'listening on ::1:8080',
    'at 12:30:45',
    'std::fcab::run',
    'fcab:12 is a slot',
    'fd12 is closed',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
