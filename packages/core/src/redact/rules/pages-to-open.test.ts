import { expect, it } from 'vitest';
import { redact } from '../index.ts';

const RANDOM = 'kJ8sLq02mXz7Pw4RtY6u';
const UUID = '9b1c7a4e-12ab-4c3d-9e8f-a1b2c3d4e5f6';
const LONG = `${RANDOM}bN3vC5hG1fD9${RANDOM}`;
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

/** What a person has to open before a call can succeed: nothing in it opens anything to whoever reads it. */
const OPENED = [
  `https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=${UUID}&response_type=code&scope=Mail.Read&state=${UUID}`,
  `https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=${UUID}&scope=Mail.Read&state=${RANDOM}&nonce=${RANDOM}&code_challenge=${CHALLENGE}`,
  `https://github.com/login/oauth/authorize?client_id=Iv1.8a61f9b3a7aba766&state=${RANDOM}&scope=repo`,
  `https://accounts.google.com/o/oauth2/auth?response_type=code&client_id=1234567890-${'abcd1234'.repeat(4)}.apps.googleusercontent.com&redirect_uri=http%3A%2F%2Flocalhost%3A8000%2Foauth2callback&state=a1b2c3d4e5f60718293a4b5c6d7e8f90&access_type=offline`,
  `https://slack.com/oauth/v2/authorize?client_id=1234567890.9876543210&scope=chat:write&state=${RANDOM}`,
  `https://api.notion.com/v1/oauth/authorize?client_id=${UUID}&response_type=code&owner=user&state=a1b2c3d4e5f60718293a4b5c`,
  `https://auth.atlassian.com/authorize?audience=api.atlassian.com&client_id=${LONG}&scope=read%3Ajira-work&redirect_uri=https%3A%2F%2Facme.com%2Fcb&state=${RANDOM}&response_type=code`,
  `https://linear.app/oauth/authorize?client_id=a1b2c3d4e5f60718293a4b5c6d7e8f90&state=${RANDOM}`,
  `https://login.salesforce.com/services/oauth2/authorize?response_type=code&client_id=3MVG9${LONG}&redirect_uri=https%3A%2F%2Facme.com%2Fcb`,
  `https://acme.eu.auth0.com/authorize?client_id=${LONG}&state=${RANDOM}&nonce=${RANDOM}&code_challenge=${CHALLENGE}&code_challenge_method=S256&response_type=code`,
  `https://dash.cloudflare.com/oauth2/auth?response_type=code&client_id=${UUID}&state=${RANDOM}&code_challenge=${CHALLENGE}`,
  `http://localhost:8787/authorize?response_type=code&client_id=${RANDOM}&redirect_uri=http%3A%2F%2Flocalhost%3A3000&state=${RANDOM}&code_challenge=${CHALLENGE}`,
  `https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=${UUID}&response_type=code&state=12345&code_challenge=YTFjNjI1OWYzMzA3MTI4ZDY2Njg5M2RkNmVjNDE5YmEyZGRhOGYyM2IzNjdmZWFhMTQ1ODg3NDcxY2Nl`,
  `https://acme.eu.auth0.com/authorize?client_id=app&response_type=code&state=${Buffer.from(`a7 ${UUID}`).toString('base64url')}&nonce=${Buffer.from(RANDOM + RANDOM).toString('hex')}`,
  `https://acme.eu.auth0.com/authorize?client_id=app&response_type=code&state=${Buffer.from(JSON.stringify({ r: '/home', n: RANDOM })).toString('base64url')}`,
  `https://github.com/apps/acme/installations/new?state=${RANDOM}`,
  `https://checkout.stripe.com/c/pay/cs_live_a1${LONG}`,
  `https://checkout.stripe.com/c/pay/cs_test_a1${LONG}#fidkdWxOYHwnPyd1blpxYHZxWjA0${LONG}`,
  `https://pay.acme.com/c/pay/cs_live_b1${LONG}`,
  `https://billing.stripe.com/p/session/live_${LONG}`,
  `https://invoice.stripe.com/i/acct_dOjeLpedU6F6vgIb/live_${LONG}?s=ap`,
  `https://verify.stripe.com/start/live_${LONG}`,
  `https://polar.sh/checkout/polar_c_${LONG}`,
  'https://www.paypal.com/checkoutnow?token=7YT88402GK1234567',
  `https://acme.lemonsqueezy.com/checkout/custom/${UUID}?signature=a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90`,
];

it.each(OPENED)('stays whole, to be opened: %s', (address) => {
  const sentences = [
    `Authentication required. Please open this URL in your browser: ${address}`,
    `ACTION REQUIRED: open\n\n${address}\n\nand call the tool again.`,
    `Not authorized yet. Authorization URL: ${address}`,
    `auth_required: auth_url: ${address}`,
    `Please visit [this link](${address}) to go on.`,
    `Go to <${address}>, then try again`,
    JSON.stringify({ error: 'action_required', url: address }),
    `{"error":"action_required","url":"${address.replaceAll('&', '\\u0026')}"}`,
    `<a href="${address.replaceAll('&', '&amp;')}">Go on</a>`,
  ];
  for (const sentence of sentences) {
    expect(redact(sentence).value).toBe(sentence);
    expect(redact(sentence, { level: 'strict', disable: ['loopback'] }).value).toBe(sentence);
  }
  expect(redact({ url: address }).value).toEqual({ url: address });
});

const TEXT = 'kJ8sLq02mXz7Pw4RtY6ubN3v';

it.each([
  `https://mcp.acme.com/connect?session_id=${UUID}`,
  `https://mcp.acme.com/auth/start?sid=${RANDOM}`,
  `https://acme.com/install?session=${RANDOM}`,
  `https://app.acme.com/link/${TEXT}`,
  `https://hosted.plaid.com/link/${TEXT}`,
  `https://github.com/orgs/acme/sso?authorization_request=${LONG}`,
  `https://as.acme.com/authorize?client_id=app&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3A${TEXT}`,
  `https://account.docusign.com/oauth/auth?response_type=code&scope=signature%20impersonation&client_id=${UUID}&redirect_uri=https%3A%2F%2Facme.com`,
  `https://t.me/acme_bot?start=${TEXT}`,
  `https://api.x.com/oauth/authorize?oauth_token=${TEXT}`,
  `https://www.paypal.com/agreements/approve?ba_token=BA-8A802366G0648845Y`,
  'https://app.acme.com/self-service/login/browser?login_challenge=9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f',
  'https://auth.acme.com/consent?consent_challenge=9c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f',
  `https://auth.acme.com/logout?logout_challenge=${RANDOM}${RANDOM}`,
  `https://auth.acme.com/device?device_challenge=${LONG}`,
])('stays whole where somebody is asked to open it: %s', (address) => {
  const sentences = [
    `Authentication required. Please open this URL in your browser: ${address}`,
    `Not connected yet. Please visit ${address} to connect your account.`,
    `You need to sign in at ${address}`,
    `Authorization URL: ${address}`,
    `Please visit [this link](${address}) to go on.`,
    JSON.stringify({ error: 'auth_required', auth_url: address }),
  ];
  for (const sentence of sentences) {
    expect(redact(sentence).value).toBe(sentence);
    expect(redact(sentence, { level: 'strict' }).value).toBe(sentence);
  }
});

const SECRET = 'Zq8Wm2Rt5Yx1Kv7Lp3Nc';

it.each([
  ['a key by the name of an id', `https://api.unsplash.com/photos?client_id=${SECRET}&query=sea`],
  ['what comes back', `https://acme.com/callback?code=${SECRET}&state=${SECRET}`],
  [
    'what is exchanged',
    `https://acme.com/oauth/token?client_id=app&client_secret=${SECRET}&redirect_uri=x&code=${SECRET}`,
  ],
  [
    'a secret in a request to sign in',
    `https://acme.com/oauth/authorize?client_id=app&response_type=code&client_secret=${SECRET}`,
  ],
  [
    'a token in a request to sign in',
    `https://acme.com/oauth/authorize?client_id=app&response_type=code&access_token=${SECRET}`,
  ],
  [
    'a password in a request to sign in',
    `https://acme.com/authorize?client_id=app&response_type=code&password=${SECRET}`,
  ],
  [
    'a login before the host',
    `https://ann:${SECRET}@acme.com/authorize?client_id=app&response_type=code&state=x`,
  ],
  ['a link that signs in', `https://acme.com/auth/magic?token=${SECRET}`],
  ['a link that signs in, with a state', `https://acme.com/login?token=${SECRET}&state=1`],
  ['a key for an interface of payments', `https://pay.acme.com/v1/charges?api_key=${SECRET}`],
  ['a token for an interface of payments', `https://pay.acme.com/v1/charges?token=${SECRET}`],
  ['a token in the path of an interface', `https://pay.acme.com/api/tokens/tok_live_${SECRET}${SECRET}`],
  ['a key at a checkout', `https://acme.com/checkout?api_key=${SECRET}`],
  ['a password at a checkout', `https://acme.com/checkout?password=${SECRET}`],
  ['a token in the path of a service', `https://billing.acme.com/tenants/7/tok_live_${SECRET}${SECRET}`],
  ['a token inside a company', `https://shop.prod.corp/checkout/tok_live_${SECRET}${SECRET}`],
  ['a key behind the address', `See https://acme.com/checkout, api_key=${SECRET}`],
  ['a state without an address', `state=${SECRET}&client_id=${SECRET}&response_type=code`],
])('still goes: %s', (_what, text) => {
  expect(redact(`Failed: ${text}`).value).not.toContain(SECRET);
  expect(redact(`Failed: ${text}`, { level: 'strict' }).value).not.toContain(SECRET);
});

it('what a vendor gives the form of a key goes from every page', () => {
  const key = ['sk', 'live', '51Habcdefghijklmnopqrstuvwx'].join('_');
  expect(redact(`Open https://checkout.acme.com/pay/${key}`).value).not.toContain('51Habc');
  expect(redact(`Open https://acme.com/authorize?client_id=${key}&response_type=code`).value).not.toContain(
    '51Habc',
  );
});

it.each([
  '#access_token=',
  '#token=',
  '#/login?password=',
  '?next=https%3A%2F%2Facme.com%2F%3Faccess_token%3D',
  '?session=https%3A%2F%2Facme.com%2F%3Faccess_token%3D',
  '?redirect_uri=https%3A%2F%2Facme.com%2F%3Fclient_secret%3D',
  '?next=%2Fx%3Fpassword%3D',
  '?data=%7B%22password%22%3A%22',
  '?a=1;token=',
  '?session=1;password=',
  ';jsessionid=',
  '?bearer=',
  '?credentials=svc:',
  '?session_token=',
  '?code_verifier=',
  '?PHPSESSID=',
  '?device_code=',
  '?id_token_hint=',
  '?login_verifier_token=',
  '?login_challenge=https%3A%2F%2Facme.com%2F%3Faccess_token%3D',
  '?consent_challenge=%7B%22password%22%3A%22',
])('goes though somebody is asked to open it: %s', (rest) => {
  const address = `https://acme.com/start${rest}${SECRET}`;
  for (const level of ['standard', 'strict'] as const) {
    expect(redact(`Please open ${address} to continue.`, { level }).value).not.toContain(SECRET);
    expect(redact(JSON.stringify({ auth_url: address }), { level }).value).not.toContain(SECRET);
  }
});
