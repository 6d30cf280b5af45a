/** A backend sends whoever calls elsewhere first, to sign in or to pay: where to is told, with the backend's own words. */
import { describe, expect, it } from 'vitest';
import { axios, error, said } from './thrown.ts';

const PAGE = 'https://portal.globex.io/p/991';

describe('a page to sign in at, from a body under 401', () => {
  it.each([
    'login_url',
    'loginUrl',
    'log_in_url',
    'sign_in_url',
    'signInUrl',
    'signin_url',
    'sign-in-url',
    'auth_url',
    'authUrl',
    'authorize_url',
    'authorise_url',
    'authorizeUrl',
    'authorization_url',
    'authorizationUrl',
    'authorization_uri',
    'authenticate_url',
    'authentication_url',
    'oauth_url',
    'oauthUrl',
    'oauth2_url',
    'sso_url',
    'ssoUrl',
    'reauth_url',
    'reauthUrl',
    're_auth_url',
    'reauthorize_url',
    'reconnect_url',
    'connect_url',
    'consent_url',
    'verification_uri',
    'verification_url',
    'verification_uri_complete',
    'verificationUriComplete',
    'login_link',
    'sign_in_link',
    'oauth_link',
  ])('%s', async (name) => {
    const [kind, words] = await said(axios(401, { message: 'You are not signed in', [name]: PAGE }));
    expect([kind, words]).toEqual([
      'unauthenticated',
      `You are not signed in: ${name}: ${PAGE}. Sign in or renew the credentials, then call again.`,
    ]);
  });

  it.each([
    [{ error: 'Unauthorized', sign_in_url: PAGE }, `Unauthorized: sign_in_url: ${PAGE}.`],
    [{ sign_in_url: PAGE }, `Unauthorized: sign_in_url: ${PAGE}.`],
    [
      { error: { message: 'Your session has ended', sso_url: PAGE } },
      `Your session has ended: sso_url: ${PAGE}.`,
    ],
    [JSON.stringify({ detail: 'Not signed in', oauth_url: PAGE }), `Not signed in: oauth_url: ${PAGE}.`],
  ])('%j', async (body, text) => {
    const [kind, words] = await said(axios(401, body));
    expect([kind, words.slice(0, text.length)]).toEqual(['unauthenticated', text]);
  });
});

describe('a page to pay at, from a body under 402', () => {
  it.each([
    'pay_url',
    'payUrl',
    'payment_url',
    'payment_link',
    'pay_link',
    'invoice_url',
    'invoiceUrl',
    'hosted_invoice_url',
    'hostedInvoiceUrl',
    'checkout_url',
    'checkoutUrl',
    'billing_url',
    'upgrade_url',
    'top_up_url',
    'topup_url',
    'subscribe_url',
  ])('%s', async (name) => {
    const all = await Promise.all([
      said(axios(402, { message: 'Payment required', [name]: PAGE })),
      said(axios(402, { message: 'Invoice 77 is unpaid', [name]: PAGE })),
      said(axios(402, { error: { message: 'Your plan has ended', [name]: PAGE } })),
    ]);
    expect(all.map(([kind, words]) => [kind, words.split(' The quota')[0]])).toEqual([
      ['quota_exhausted', `Payment required: ${name}: ${PAGE}.`],
      ['quota_exhausted', `Invoice 77 is unpaid: ${name}: ${PAGE}.`],
      ['quota_exhausted', `Your plan has ended: ${name}: ${PAGE}.`],
    ]);
  });
});

describe('a page to get a yes at, from a body under 403', () => {
  it.each(['approval_url', 'approvalUrl', 'approval_link', 'approve_url', 'approveUrl', 'consent_url'])(
    '%s',
    async (name) => {
      const all = await Promise.all([
        said(axios(403, { message: 'Approval required', [name]: PAGE })),
        said(axios(403, { error: 'Approval required', [name]: PAGE })),
        said(axios(403, { error: { message: 'An admin has to agree first', [name]: PAGE } })),
        said(axios(403, { error: 'approval_required', [name]: PAGE })),
      ]);
      expect(all.map(([kind, words]) => [kind, words.split(' Ask for')[0]])).toEqual([
        ['forbidden', `Approval required: ${name}: ${PAGE}.`],
        ['forbidden', `Approval required: ${name}: ${PAGE}.`],
        ['forbidden', `An admin has to agree first: ${name}: ${PAGE}.`],
        ['forbidden', `approval_required: ${name}: ${PAGE}.`],
      ]);
    },
  );
});

describe('is not told', () => {
  it.each([
    'url',
    'html_url',
    'self',
    'href',
    'callback_url',
    'return_url',
    'success_url',
    'cancel_url',
    'webhook_url',
    'logout_url',
    'sign_out_url',
    'redirect_url',
    'redirectUri',
    'issuer',
    'token_endpoint',
    'authorization_endpoint',
    'oauth_callback_url',
    'oauth_token_url',
    'oauth_redirect_url',
    'sso_metadata_url',
    'auth_server_url',
    'connection_url',
    'payload_url',
    'prepay_callback_url',
    'payment_webhook_url',
    'invoice_pdf_path',
    'avatar_url',
    'status_url',
    'login_attempts_url',
    'unauth_url',
    'repay_url',
    'disconnect_url',
    'author_url',
    'lesson_url',
  ])('what %s has', async (name) => {
    const all = await Promise.all(
      [401, 402, 403].map((status) => said(axios(status, { message: 'That is not for you', [name]: PAGE }))),
    );
    expect(all.map(([kind, words]) => [kind, words.includes(PAGE)])).toEqual([
      ['misconfigured', false],
      ['quota_exhausted', false],
      ['forbidden', false],
    ]);
  });

  it.each(['sign_in_url', 'authorize_url', 'oauth_url', 'pay_url', 'hosted_invoice_url'])(
    'what %s has, where nobody is sent there',
    async (name) => {
      const all = await Promise.all([
        said(axios(500, { message: 'Internal Server Error', [name]: PAGE })),
        said(axios(503, { message: 'Service Unavailable', [name]: PAGE })),
        said(axios(404, { message: 'Order 7 not found', [name]: PAGE })),
        said(axios(401, { error: 'invalid_client', error_description: 'Client unknown', [name]: PAGE })),
        said(Object.assign(new TypeError('x.map is not a function'), { [name]: PAGE })),
        said(error('connect ETIMEDOUT 192.0.2.9:443', { code: 'ETIMEDOUT', [name]: PAGE })),
      ]);
      expect(all.map(([, words]) => words.includes(PAGE))).toEqual([
        false,
        false,
        false,
        false,
        false,
        false,
      ]);
      expect(all.map(([kind]) => kind)).not.toContain('unauthenticated');
    },
  );

  it('a secret in the words of the body', async () => {
    const key = `ghp_${'Q7w'.repeat(12)}`;
    const [, words] = await said(axios(403, { message: `Approval required for ${key}`, approval_url: PAGE }));
    expect(words).not.toContain(key);
    const [, said401] = await said(axios(401, { error: `Bad token ${key}`, sign_in_url: PAGE }));
    expect(said401).not.toContain(key);
  });
});
