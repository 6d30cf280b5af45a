import { COMMON } from './common-formats.ts';

/** Formats that a vendor's prefix gives away; see `formatTriggers` for the notation. Those of most vendors, behind the common ones. */
export const PREFIXED: string = `
${COMMON}1password-secret-key A3-{u6}-{u5}
adafruit-io-key aio_{n24}
adobe-client-secret p8e-{n24}
adyen-api-key AQE{n1}hmfu{b30}
aiven-token aivenv{n1}{b40} ?
alibaba-access-key LTAI{n12}
anyscale-api-key esecret_{n20}
artifactory-api-key AKC{n40}
artifactory-reference-token cmVmdGtu{n30}
asana-v2-token 2/{d12-19}/{d12-19}:{h24}
atlassian-bitbucket-token ATBB{n24}
authress-access-token sc_{n5-30}.{n4-6}.acc{w10}
aws-bearer-key ABIA{u12}
aws-context-key ACCA{u12}
aws-legacy-key A3T{u13}
aws-role-id AROA{u12}
aws-user-id AIDA{u12}
aws-group-id AGPA{u12}
aws-instance-id AIPA{u12}
aws-bedrock-session-key bedrock-api-key-{b20}
aws-session-token FwoGZXIvYXdz{b40}
aws-session-v2-token IQoJb3JpZ2lu{b40}
aws-mws-token amzn.mws.{w20}
aws-oauth-token amzn1.oa2-cs.v1.{h30}
axiom-api-token xaat-{w24}
axiom-pat xapt-{w24}
bitcoin-private-key xprv{n80}
bitwarden-access-token 0.{h8}-{w27}.{n20}
brevo-smtp-key xsmtpsib-{h30}
browserbase-api-key bb_live_{w16}
buildkite-api-token bkua_{n24}
buildkite-agent-token bkct_{w20}
canva-secret cnvca{w30}
cerebras-api-key csk-{n24}
checkout-secret-key sk_sbox_{n16}
circleci-project-token CCIPRJ_{w24}
clickup-token pk_{d5-9}_{n20}
clickhouse-api-key 4b1d{n30}
clojars-token CLOJARS_{n30}
closient-browser-key csb_{n16}
closient-publishable-key cpk_{n16}
closient-user-key csu_{n16}
cloudflare-origin-key v1.0-{h20}
cloudflare-account-token cfat_{n30}
cockroachdb-token CCDB1_{w20}
confluent-secret cflt{b30}
contentful-pat CFPAT-{w20}
context7-api-key ctx7sk-{w20}
coze-pat pat_{n40}
crates-token cio{n30}
cursor-api-key key_{h48}
databricks-oauth-secret dose{h24}
deno-token ddp_{n30}
deno-org-token ddo_{n30}
digitalocean-oauth-token doo_v1_{h32}
digitalocean-refresh-token dor_v1_{h32}
docker-org-token dckr_oat_{w20}
doppler-cli-token dp.ct.{n30}
doppler-pat dp.pt.{n30}
doppler-account-token dp.sa.{n30}
doppler-scim-token dp.scim.{n30}
doppler-audit-token dp.audit.{n30}
dropbox-token sl.{w60}
duffel-token duffel_{live|test}_{w24}
dynatrace-token dt0c01.{u24}.{u40}
dynatrace-oauth-token dt0s0{d1}.{u6-8}.{u40}
e2b-api-key e2b_{h24}
easypost-key EZAK{n30}
easypost-test-key EZTK{n30}
elevenlabs-key sk_{h40}
endor-token endr+{w12}
facebook-page-token EAA{n40}
facebook-graph-token EAAC{n40}
figma-oauth-token figo_{w24}
figma-user-token figu_{w24}
figma-refresh-token figor_{w20}
fireworks-key fw_{n20}
flexport-token shltm_{w30}
flutterwave-secret FLWSECK{w14}
flutterwave-public-key FLWPUBK{w14}
flyio-machine-token fm{d1}_{b60}
flyio-macaroon-token fm1a_{b60}
flyio-readonly-token fm1r_{b60}
frameio-token fio-u-{w40}
gcp-service-token GOOG1E{u40}
gcp-hmac-key GOOG{u18}
gcp-captcha-key 6L{w38} ?
gemini-key AQ.Ab8R{w30}
gitlab-agent-token glagent-{w20}
gitlab-flag-token glffct-{w16}
gitlab-feed-token glft-{w16}
gitlab-mail-token glimt-{w16}
gitlab-oauth-secret gloas-{w30}
gitlab-pipeline-token glptt-{w20}
gitlab-registration-token GR1348941{w16}
gitlab-runner-registration-token glrtr-{w16}
gitlab-scim-token glsoat-{w16}
gitlab-workspace-token glwt-{w16}
gitlab-session-cookie _gitlab_session={h24}
gocardless-token !live_{w34}
grafana-api-key eyJrIjoi{b40}
harness-pat pat.{w18-26}.{n20}
harness-service-token sat.{w18-26}.{n20}
helicone-key sk-helicone-{w16}
heroku-api-key HRKU-{w30}
honeycomb-key hcaik_{n20}
honeycomb-ingest-key hcxik_{n20}
honeycomb-management-key hcxmk_{n20}
hubspot-pat pat-{na1|na2|eu1|ap1}-{h8}-{w20}
huggingface-org-token api_org_{n24}
infracost-token ico-{n24}
infisical-service-token st.{h24}.{h30}
instagram-token IGQ{w50}
intercom-token dG9rO{b40}
intra42-secret s-s4t2{w40}
ionic-token ion_{n30}
jina-api-key jina_{w30}
klaviyo-key pk_{h30}
langchain-key lsv2_{pt|sk}_{h24}
langfuse-secret-key sk-lf-{w20}
langfuse-public-key pk-lf-{w20}
launchdarkly-api-key api-{h8}-{h4}-{h4}-{h4}-{h12}
launchdarkly-mobile-key mob-{h8}-{h4}-{h4}-{h4}-{h12}
launchdarkly-sdk-key sdk-{h8}-{h4}-{h4}-{h4}-{h12}
lichess-pat lip_{n16}
lichess-oauth-token lio_{n16}
linear-oauth-token lin_oauth_{n24}
linear-webhook lin_wh_{n24}
llamacloud-key llx-{w24}
lob-live-key !live_{h30}
lob-test-key !test_{h30}
mailgun-public-key pubkey-{h24}
mandrill-key md-{w22}
mapbox-secret-token sk.eyJ{w40}
mapbox-public-token pk.eyJ{w40}
mayday-key mdy_{h12}_{w20}
mem0-key m0-{w24}
mergify-key mka_{w20}
mercadopago-token APP_USR-{w30}
microsoft-refresh-token M.C{d3}{p60}
minimax-key sk-api-{w40}
mongodb-atlas-secret mdb_sa_sk_{w20}
mongodb-atlas-id mdb_sa_id_{h20}
netlify-token nfp_{n30}
netlify-cli-token nfc_{n30}
netlify-oauth-token nfo_{n30}
netlify-ui-token nfu_{n30}
nightfall-key NF-{n30}
neon-api-key napi_{n30}
newrelic-browser-key NRJS-{h16}
newrelic-insert-key NRII-{w20}
newrelic-admin-key NRAA-{h20}
newrelic-license-key NRAL{h20}
newrelic-rest-key NRRA-{h30}
npm-legacy-token NpmToken.{w30}
nuget-key oy2{l40}
nvidia-api-key nvapi-{w30}
octopus-api-key API-{u24}
onfido-key api_live.{w20}
onfido-sandbox-key api_sandbox.{w20}
openshift-token sha256~{w30}
paddle-api-key pdl_{w30}
paypal-access-token A21AA{w60}
paypal-braintree-token access_token$production\${l12-20}\${h24}
paypal-sandbox-token access_token$sandbox\${l12-20}\${h24}
persona-key persona_{production|sandbox}_{w20}
pinecone-key pcsk_{w24}
pinterest-token pina_{w20}
plaid-access-token access-{sandbox|development|production}-{h8}-{w20}
plaid-public-token public-{sandbox|development|production}-{h8}-{w20}
planetscale-oauth-token pscale_oauth_{p24}
platica-key pl_key_{w12}
polar-token polar_{oat|pat}_{w20}
posthog-personal-key phx_{w24}
posthog-project-key phc_{w24}
prefect-token pnu_{n24}
prefect-bot-token pnb_{n24}
pubnub-publish-key pub-c-{h8}-{w20}
pubnub-subscribe-key sub-c-{h8}-{w20}
pubnub-secret-key sec-c-{w30}
pulumi-token pul-{h30}
pydantic-token pylf_v1_{w30}
qaqnuz-live-key qx_live_{w8}
qaqnuz-test-key qx_test_{w8}
ramp-secret ramp_sec_{n30}
razorpay-key rzp_{live|test}_{n12}
readme-key rdme_{l30}
render-key rnd_{n20}
resend-key re_{n8}_{n16}
retool-token retool_{n20}
rootly-token rootly_{h40}
runpod-key rpa_{n30}
salesforce-token 00D{n12-15}!{p40}
samsara-token samsara_api_{n20}
scalingo-token tk-us-{w30}
scaleway-secret SCW{u17}
segment-token sgp_{n30}
settlemint-app-token sm_aat_{n12}
settlemint-pat sm_pat_{n12}
settlemint-service-token sm_sat_{n12}
shippo-token shippo_{live|test}_{h30}
shopify-app-token shpca_{h24}
shopify-partner-token shpua_{h24}
shopify-delivery-token shpit_{h24}
snyk-service-token snyk_{uat|sat}.{w8}
snowflake-token ver:1-hint:{d5-20}-{b30}
sonarqube-global-token sqa_{h30}
sonarqube-project-token sqp_{h30}
sonarqube-user-token squ_{h30}
sourcegraph-token sgp_{h30}
sourcegraph-instance-token sgp_{n5-16}_{h30}
sourcegraph-cody-token slk_{h40}
square-oauth-token sq0atp-{w16}
square-id sq0idp-{w16}
statsig-secret secret-{n30} ?
statsig-console-key console-{n30} ?
stytch-secret secret-{live|test}-{w24}
supabase-publishable-key sb_publishable_{w16}
tailscale-key tskey-{w16}
telnyx-key KEY0{w28}
teamwork-token tkn.v1_{b30}
temporal-key tmprl_{w20}
tencent-secret-id AKID{n28}
thunderstore-token tss_{w30}
together-key tgp_v1_{w30}
trello-token ATTA{h40}
tigris-key tid_{w20}
tigris-secret tsec_{w20}
twitter-bearer-token AAAAAAAAAAAAAAAAAAAA{s40} ?
twitch-token oauth:{l24}
typeform-token tfp_{p40}
unkey-key unkey_{n16}
vault-batch-token hvb.{w40}
vault-recovery-token hvr.{w16}
vercel-blob-token vercel_blob_rw_{w16}
vercel-integration-token vci_{n20}
vercel-app-token vca_{n20}
vercel-refresh-token vcr_{n20}
vercel-gateway-key vck_{n20}
volcengine-key AKLT{b30}
voyage-key pa-{w36} ?
voiceflow-key VF.{DM|WS}.{n20-30}.{n10}
wakatime-key waka_{w24}
weights-biases-key wandb_v1_{w24}
workos-key sk_test_a2V5X{w20}
yandex-api-key AQVN{w30}
yandex-cloud-token t1.{w20}
yandex-cookie-token y0_{w30}
yandex-static-key YCAJE{w16}
yandex-secret-key YCM{w34}
yandex-passport-token y1_{w30}
zoho-oauth-token 1000.{h32}.{h32}
zuplo-key zpka_{l24}_{h8}
`;

/** Formats without a prefix, told by the vendor's name in front: `id vendor value`. */
export const NAMED: string = `
adafruit-key adafruit {w28}
adobe-client-id adobe {h32}
airbrake-key airbrake {h32}
airtable-key airtable key{n14}
algolia-key algolia {h32}
alibaba-secret-key alibaba {n30}
amplitude-key amplitude {h32}
asana-client-secret asana {n32}
asana-client-id asana {d16}
auth0-client-secret auth0 {w40}
azure-openai-key azure {h32}
azure-storage-key azure {b86}
baidu-key baidu {n24}
bamboo-key bamboo {h40}
beamer-token beamer b_{w40}
bitbucket-client-id bitbucket {n32}
bitbucket-client-secret bitbucket {w64}
bitly-token bitly {h40}
bittrex-key bittrex {h32}
branch-key branch key_{live|test}_{n30}
bugsnag-key bugsnag {h32}
cisco-meraki-key meraki {h40}
cloudflare-api-key cloudflare {w40}
cloudflare-global-key cloudflare {h37}
cloudinary-secret cloudinary {w27}
codecov-token codecov {n32}
cohere-key cohere {n40}
coinbase-key coinbase {w64}
confluent-key confluent {u16}
confluent-api-secret confluent {b64}
contentful-token contentful {w43}
datadog-app-key datadog {h40}
datadog-api-key datadog {h32}
deepgram-key deepgram {h40}
deepseek-key deepseek {n32}
discord-client-secret discord {w32}
discord-public-key discord {h64}
docusign-key docusign {h8}-{h4}-{h4}-{h4}-{h12}
droneci-token drone {n32}
dropbox-key dropbox {l15}
etsy-key etsy {n24}
facebook-secret facebook {h32}
fastly-token fastly {w32}
finicity-key finicity {h32}
finicity-secret finicity {n20}
finnhub-token finnhub {n20}
flickr-key flickr {h32}
freshbooks-token freshbooks {n64}
freshdesk-key freshdesk {n20}
gitter-token gitter {w40}
giphy-key giphy {n32}
heroku-key heroku {h8}-{h4}-{h4}-{h4}-{h12}
hubspot-key hubspot {h8}-{h4}-{h4}-{h4}-{h12}
intercom-key intercom {w60}
ipstack-key ipstack {h32}
jfrog-key jfrog {n73}
jfrog-identity-token artifactory {n64}
kraken-key kraken {b80}
kucoin-key kucoin {h24}
kucoin-secret kucoin {h8}-{h4}-{h4}-{h4}-{h12}
lastfm-key lastfm {h32}
linear-secret linear {h32}
linkedin-id linkedin {n14}
linkedin-secret linkedin {n16}
looker-id looker {n20}
looker-secret looker {n24}
mailchimp-key mailchimp {h32}
mailjet-key mailjet {h32}
mattermost-token mattermost {l26}
messagebird-token messagebird {n25}
mixpanel-secret mixpanel {h32}
mistral-key mistral {n32}
netlify-access-token netlify {w40}
newrelic-key newrelic {h40}
nytimes-token nytimes {n32}
okta-api-token okta 00{w38}
opsgenie-key opsgenie {h8}-{h4}-{h4}-{h4}-{h12}
pagerduty-key pagerduty {w20}
paypal-secret paypal {w60}
pingdom-token pingdom {w40}
plaid-id plaid {h24}
plaid-secret plaid {h30}
pubnub-key pubnub {w36}
pusher-secret pusher {h20}
rapidapi-key rapidapi {n50}
sendbird-key sendbird {h40}
sentry-token sentry {h64}
shodan-key shodan {n32}
snyk-token snyk {h8}-{h4}-{h4}-{h4}-{h12}
splunk-token splunk {h8}-{h4}-{h4}-{h4}-{h12}
spotify-secret spotify {h32}
sumologic-secret sumo {n64}
sumologic-id sumo su{n12}
tmdb-key tmdb {h32}
travisci-token travis {w22}
trello-key trello {h32}
twilio-token twilio {h32}
twitch-secret twitch {l30}
twitter-api-secret twitter {n50}
twitter-access-secret twitter {n45}
twitter-api-key twitter {n25}
unsplash-key unsplash {w43}
virustotal-key virustotal {h64}
yelp-key yelp {w60}
youtube-key youtube {w39}
zendesk-key zendesk {n40}
zoho-token zoho 1000.{h32}
zoom-secret zoom {n32}
`;
