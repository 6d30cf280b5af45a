/** Where clients of Oracle connect to: machines of whoever runs them. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

it.each([
  '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=oraprod7)(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=ORCL)))',
  '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=oraprod7.corp.internal)(PORT=1521))(CONNECT_DATA=(SID=ORCL)))',
  '(description = (address = (protocol = tcp)(host = oraprod7)(port = 1521)))',
  'ORA-12154: could not resolve //oraprod7:1521/ORCL',
  'sqlplus svc@//oraprod7:1521/ORCL failed',
  'jdbc:oracle:thin:@//oraprod7:1521/ORCL',
  'jdbc:oracle:thin:@oraprod7:1521:ORCL',
  'ORA-12541: Cannot connect. No listener at host oraprod7 port 1521.',
  'ORA-12545: target host or object does not exist (HOST=oraprod7)',
])('goes: %s', (text) => {
  const { value } = redact(text);
  expect(value).toContain('[host:1]');
  expect(value).not.toContain('oraprod7');
});

it.each([
  '(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=localhost)(PORT=1521)))',
  'jdbc:oracle:thin:@localhost:1521:ORCL',
  'open //localhost:8080/app',
  'https://docs.example.com:443/a',
  'see //cdn.example.com/lib.js',
  'ORA-12541: TNS:no listener',
  'call it as f(host = name)',
])('stays: %s', (text) => {
  expect(redact(text).value).toBe(text);
});
