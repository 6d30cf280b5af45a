/** Who was not let in: the server by another program, which is the operator's to mend, or the caller by the server. */
import { describe, expect, it } from 'vitest';
import { error, MISCONFIGURED, said } from './thrown.ts';

const LACKS = 'The server lacks a setting; tell the user, do not retry.';

/** As `child_process` throws it. */
const failed = (stderr: string, members: object = {}): Error =>
  error(`Command failed: tool x\n${stderr}`, { code: 1, killed: false, cmd: 'tool x', stderr, ...members });

const PROGRAMS: readonly (readonly [string, Error])[] = [
  ['ssh2', error('All configured authentication methods failed', { level: 'client-authentication' })],
  ['ssh2, in words', error('Deploy: All configured authentication methods failed')],
  ['ssh', error('deploy@web.example.com: Permission denied (publickey,password).')],
  ['git', error("fatal: Authentication failed for 'https://svc:Zq8vR2mWn4xT@git.corp.example/x.git/'")],
  ['git, asked', error("fatal: could not read Username for 'https://github.com': terminal prompts disabled")],
  ['git over ssh', error('git@github.com: Permission denied (publickey).\nfatal: Could not read it')],
  ['IMAP', error('Invalid credentials', { source: 'authentication', textCode: 'AUTHENTICATIONFAILED' })],
  ['IMAP, in words', error('NO [AUTHENTICATIONFAILED] Authentication failed.')],
  ['imapflow', error('Command failed', { authenticationFailed: true })],
  ['POP3', error('-ERR [AUTH] Authentication failed.')],
  ['SMTP', error('535 5.7.3 Authentication unsuccessful')],
  ['SMTP, by a member', error('Invalid login', { responseCode: 535 })],
  ['FTP', error('530 Login incorrect.', { code: 530 })],
  ['FTP, in words', error('530 Not logged in')],
  ['a failed program', failed('error: authentication failed, run gh auth login')],
  ['a program that nobody has signed in', failed("ERROR: Please run 'az login' to setup account.")],
  ['npm', failed('npm ERR! code E401\nnpm ERR! Unable to authenticate, need: Basic')],
  ['npm, in words', error('npm ERR! code E401')],
  ['docker', failed('Error response from daemon: unauthorized: incorrect username or password')],
  ['docker, in words', error('unauthorized: incorrect username or password')],
  ['kubectl', failed('error: You must be logged in to the server (Unauthorized)')],
  [
    'AMQP',
    error('403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using mechanism PLAIN"'),
  ],
  ['Kafka', error('SASL authentication error: Authentication failed: invalid credentials')],
  ['NATS', error('Authorization Violation')],
  ['Kerberos', error('kinit: Preauthentication failed while getting initial credentials')],
  ['SNMP', error('Authentication failure (incorrect password, community or key)')],
  ['SMB', error('STATUS_LOGON_FAILURE (0xC000006D): The attempted logon is invalid.')],
  ['LDAP, in words', error('LDAP authentication failed: invalid credentials')],
  [
    'boto3',
    error('An error occurred (ExpiredToken) when calling the ListBuckets operation: It has expired.'),
  ],
  ['OAuth', error('server responded with an error in the response body', { error: 'invalid_client' })],
  ['a backend', error('Login failed at https://billing.corp.example/session')],
  ['gh, in words', error('To get started with GitHub CLI, please run:  gh auth login\nIt asks.')],
  ['gh, a variable', error('The token in GH_TOKEN is invalid.')],
  ['gcloud, in words', error('You have no active account.\nPlease run:\n\n  $ gcloud auth login')],
  ['az, in words', error("ERROR: Please run 'az login' to setup account.")],
  ['aws, in words', error('The SSO session has expired. To refresh it run aws sso login with the profile.')],
  ['heroku, in words', error('Error: not logged in\n ›   Run heroku login')],
  ['kubectl, in words', error('error: You must be logged in to the server (Unauthorized)')],
  ['docker, behind a label', error('error during connect: unauthorized: incorrect username or password')],
  ['docker, denied', error('denied: requested access to the resource is denied')],
  ['Salesforce', error('INVALID_LOGIN: Invalid username, password; or user locked out.')],
  ['SMTP, too often', error('Invalid login: 454 4.7.0 Too many login attempts')],
  ['GSSAPI', error('GSSAPI Error: Unspecified GSS failure (Ticket expired)')],
  ['a host', error('Authentication failed on db-7.corp.example:9042')],
];

/** The account of a database, of a directory or of a cloud is nobody's to know. */
const ACCOUNTS: readonly (readonly [string, Error])[] = [
  ['Oracle', error('ORA-01017: invalid username/password; logon denied', { errorNum: 1017 })],
  ['LDAP', error('Invalid Credentials', { name: 'InvalidCredentialsError', code: 49 })],
  ['LDAP, bind', error('Invalid credentials during a bind operation. Code: 0x31', { code: 49 })],
  ['Kafka', error('Invalid username or password', { name: 'KafkaJSSASLAuthenticationError', code: 58 })],
  ['MQTT', error('Connection refused: Not authorized', { code: 5 })],
  ['JDBC', error('Login failed for jdbc:sqlserver://db:1433;user=sa;password=Zq8vR2mWn4xT')],
  ['Snowflake', error('Incorrect username or password was specified.', { sqlState: '08001' })],
  ['Elasticsearch', error('unable to authenticate user [svc] for REST request [/_search]')],
  ['Cassandra', error('Authentication error for host db:9042: Provided username svc and/or password are')],
  ['SQL Server', error('Cannot open database "prod" requested by the login. The login failed.')],
  ['Redis', error('ERR invalid password')],
  ['OAuth', error('unauthorized_client: Client is unauthorized to retrieve access tokens')],
  ['Oracle, no session', error('ORA-01045: user SVC lacks CREATE SESSION privilege; logon denied')],
  [
    'AMQP',
    error("Server: 530 (NOT-ALLOWED) with \"NOT_ALLOWED - access to vhost '/x' refused for user 'q'\""),
  ],
  ['FTP', error('530 User svc cannot log in.', { code: 530 })],
  ['FTP, locked', error('530 Sorry, the account svc is locked', { code: 530 })],
  [
    'ClickHouse',
    error('Code: 516. DB::Exception: svc: Authentication failed: password is incorrect, or there is no user'),
  ],
  ['Kerberos', error("kinit: Client 'svc/orders@ACME.COM' not found in Kerberos database")],
  [
    'PostgreSQL, wrapped',
    new Error('Could not save', { cause: error('password authentication failed for user "svc"') }),
  ],
  ['PostgreSQL, by its code, wrapped', new Error('Could not save', { cause: error('x', { code: '28P01' }) })],
];

describe('another program that does not let the server in', () => {
  it.each(PROGRAMS)('is the operator’s to mend, who may be the user: %s', async (_, reason) => {
    const [kind, words] = await said(reason, { id: '7' });
    expect(kind).toBe('misconfigured');
    expect(words.endsWith(LACKS)).toBe(true);
    expect(words).not.toMatch(/Sign in or renew|Zq8v|corp\.example\//);
  });

  it.each(ACCOUNTS)('is the operator’s to mend, and not told: %s', async (_, reason) => {
    expect(await said(reason, { id: '7' })).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it('is told by a caller that sent the credential along', async () => {
    for (const [what, reason] of [...PROGRAMS, ...ACCOUNTS]) {
      const [kind] = await said(reason, { username: 'ada', password: 'Xy7-pq' });
      expect([what, kind === 'misconfigured']).toEqual([what, false]);
    }
  });

  it('takes nothing away from what was done before', async () => {
    const text = 'Payment booked as pay_991, but the receipt mail failed: ';
    for (const why of ['535 5.7.8 Authentication failed', 'Access denied for user svc', 'ORA-01017: x']) {
      const [kind, words] = await said(new Error(text + why), { id: '7' });
      expect([kind, words.startsWith(text)]).toEqual(['misconfigured', true]);
    }
  });
});

describe('a server that does not know its caller', () => {
  it.each([
    'Please sign in first',
    'Authentication required: call login first',
    'Authentication failed',
    'Authentication failed for user ada: wrong PIN',
    'Login failed: wrong password',
    'Invalid username or password',
    'Your token has expired, please sign in again',
    'Not logged in. Call the login tool',
    'Run gh auth login first',
    'You are not signed in to the SSH host. Call connect first',
    'SSH session not authenticated, use ssh_login',
    'Please log in to Redis with your account',
    'Not authenticated. Open https://login.example.com/start to sign in',
    'Unauthorized',
    'Account locked',
    'Login required: run the user login tool',
    'Not logged in. Run account login first',
    'Please sign in with your Google login',
  ])('says so: %s', async (text) => {
    for (const reason of [new Error(text), error(text, { code: 'AUTH_REQUIRED' })]) {
      const [kind, words] = await said(reason, { id: '7' });
      expect(kind).toBe('unauthenticated');
      expect(words).toContain('Sign in or renew the credentials');
    }
  });

  it('says it of a page that the caller has named', async () => {
    const url = 'https://news.example.com/members/7';
    expect((await said(new Error(`Login required for ${url}`), { url }))[0]).toBe('unauthenticated');
  });
});
