/**
 * One true positive and one near miss for each format, as templates for `redact-random.ts`: `id | found | left alone`.
 * The near miss has the prefix, and too little behind it.
 */
export const PREFIXED_FIXTURES: string = `
1password-secret-key | A3-{u6}-{u9} | A3-{u6}-{u1}
1password-service-token | ops_eyJ{n250} | ops_eyJ{b5}
adafruit-io-key | aio_{n32} | aio_{n5}
adobe-client-secret | p8e-{n32} | p8e-{n5}
adyen-api-key | AQE{n1}hmfu{b38} | AQE{n1}hmfu{b5}
age-private-key | AGE-SECRET-KEY-1{n48} | AGE-SECRET-KEY-1{n5}
airtable-pat | pat{n14}.{h48} | pat{n14}.{h5}
aiven-token | aivenv{n1}{b48} | aivenv{n1}{b5}
alibaba-access-key | LTAI{n20} | LTAI{n4}
anthropic-admin-key | sk-ant-admin{w28} | sk-ant-admin{w5}
anthropic-api-key | sk-ant-api03-{w93}AA | sk-ant-api{w5}
anthropic-oauth-token | sk-ant-o{w28} | sk-ant-o{w5}
anyscale-api-key | esecret_{n28} | esecret_{n5}
apify-token | apify_api_{n28} | apify_api_{n5}
artifactory-api-key | AKC{n48} | AKC{n5}
artifactory-reference-token | cmVmdGtu{n38} | cmVmdGtu{n5}
asana-pat | 1/{d12-19}:{h32} | 1/{d12-19}:{h5}
asana-v2-token | 2/{d12-19}/{d12-19}:{h32} | 2/{d12-19}/{d12-19}:{h5}
atlassian-api-token | ATATT3{p48} | ATATT3{p5}
atlassian-app-token | ATCTT3{p48} | ATCTT3{p5}
atlassian-bitbucket-token | ATBB{n32} | ATBB{n5}
authress-access-token | sc_{n5-30}.{n4-6}.acc{w14} | sc_{n5-30}.{n4-6}.acc{w3}
aws-access-key | AKIA{u16} | AKIA{u4}
aws-session-key | ASIA{u16} | ASIA{u4}
aws-bearer-key | ABIA{u20} | ABIA{u4}
aws-context-key | ACCA{u20} | ACCA{u4}
aws-legacy-key | A3T{u21} | A3T{u4}
aws-role-id | AROA{u20} | AROA{u4}
aws-user-id | AIDA{u20} | AIDA{u4}
aws-group-id | AGPA{u20} | AGPA{u4}
aws-instance-id | AIPA{u20} | AIPA{u4}
aws-bedrock-key | ABSK{b68} | ABSK{b5}
aws-bedrock-session-key | bedrock-api-key-{b28} | bedrock-api-key-{b5}
aws-session-token | FwoGZXIvYXdz{b48} | FwoGZXIvYXdz{b5}
aws-session-v2-token | IQoJb3JpZ2lu{b48} | IQoJb3JpZ2lu{b5}
aws-mws-token | amzn.mws.{w28} | amzn.mws.{w5}
aws-oauth-token | amzn1.oa2-cs.v1.{h38} | amzn1.oa2-cs.v1.{h5}
axiom-api-token | xaat-{w32} | xaat-{w5}
axiom-pat | xapt-{w32} | xapt-{w5}
bitcoin-private-key | xprv{n107} | xprv{n20}
bitwarden-access-token | 0.{h8}-{w27}.{n28} | 0.{h8}-{w27}.{n5}
brevo-api-key | xkeysib-{h38} | xkeysib-{h5}
brevo-smtp-key | xsmtpsib-{h38} | xsmtpsib-{h5}
browserbase-api-key | bb_live_{w24} | bb_live_{w5}
buildkite-api-token | bkua_{n32} | bkua_{n5}
buildkite-agent-token | bkct_{w28} | bkct_{w5}
canva-secret | cnvca{w38} | cnvca{w5}
cerebras-api-key | csk-{n32} | csk-{n5}
checkout-secret-key | sk_sbox_{n24} | sk_sbox_{n5}
circleci-pat | CCIPAT_{w32} | CCIPAT_{w5}
circleci-project-token | CCIPRJ_{w32} | CCIPRJ_{w5}
clerk-secret-key | sk_{live|test}_{n24} | sk_{live|test}_{n5}
clickup-token | pk_{d5-9}_{n28} | pk_{d5-9}_{n5}
clickhouse-api-key | 4b1d{n38} | 4b1d{n5}
clojars-token | CLOJARS_{n38} | CLOJARS_{n5}
closient-browser-key | csb_{n24} | csb_{n5}
closient-publishable-key | cpk_{n24} | cpk_{n5}
closient-user-key | csu_{n24} | csu_{n5}
cloudflare-origin-key | v1.0-{h28} | v1.0-{h5}
cloudflare-user-token | cfut_{n38} | cfut_{n5}
cloudflare-account-token | cfat_{n38} | cfat_{n5}
cockroachdb-token | CCDB1_{w28} | CCDB1_{w5}
confluent-secret | cflt{b38} | cflt{b5}
contentful-pat | CFPAT-{w28} | CFPAT-{w5}
context7-api-key | ctx7sk-{w36} | ctx7sk-{w5}
coze-pat | pat_{n48} | pat_{n5}
crates-token | cio{n38} | cio{n5}
cursor-api-key | key_{h56} | key_{h5}
databricks-token | dapi{h32} | dapi{h5}
databricks-oauth-secret | dose{h32} | dose{h5}
deno-token | ddp_{n38} | ddp_{n5}
deno-org-token | ddo_{n38} | ddo_{n5}
digitalocean-oauth-token | doo_v1_{h40} | doo_v1_{h5}
digitalocean-pat | dop_v1_{h64} | dop_v1_{h5}
digitalocean-refresh-token | dor_v1_{h40} | dor_v1_{h5}
docker-pat | dckr_pat_{w27} | dckr_pat_{w5}
docker-org-token | dckr_oat_{w28} | dckr_oat_{w5}
doppler-cli-token | dp.ct.{n38} | dp.ct.{n5}
doppler-pat | dp.pt.{n43} | dp.pt.{n5}
doppler-service-token | dp.st.{p38} | dp.st.{p5}
doppler-account-token | dp.sa.{n38} | dp.sa.{n5}
doppler-scim-token | dp.scim.{n38} | dp.scim.{n5}
doppler-audit-token | dp.audit.{n38} | dp.audit.{n5}
dropbox-token | sl.{w68} | sl.{w5}
dropbox-v2-token | sl.u.{w48} | sl.u.{w5}
duffel-token | duffel_live_{w43} | duffel_{live|test}_{w5}
dynatrace-token | dt0c01.{u24}.{u64} | dt0c01.{u5}
dynatrace-oauth-token | dt0s01.{u8}.{u64} | dt0s01.{u3}
e2b-api-key | e2b_{h32} | e2b_{h5}
easypost-key | EZAK{n54} | EZAK{n5}
easypost-test-key | EZTK{n38} | EZTK{n5}
elevenlabs-key | sk_{h48} | sk_{h5}
endor-token | endr+{w20} | endr+{w4}
facebook-page-token | EAA{n48} | EAA{n5}
facebook-graph-token | EAAC{n48} | EAAC{n5}
figma-pat | figd_{w40} | figd_{w5}
figma-oauth-token | figo_{w32} | figo_{w5}
figma-user-token | figu_{w32} | figu_{w5}
figma-refresh-token | figor_{w28} | figor_{w5}
fireworks-key | fw_{n28} | fw_{n5}
flexport-token | shltm_{w38} | shltm_{w5}
flutterwave-secret | FLWSECK_TEST-{h32}-X | FLWSECK{w4}
flutterwave-public-key | FLWPUBK{w22} | FLWPUBK{w4}
flyio-token | fo1_{w38} | fo1_{w5}
flyio-machine-token | fm{d1}_{b68} | fm{d1}_{b5}
flyio-macaroon-token | fm1a_{b68} | fm1a_{b5}
flyio-readonly-token | fm1r_{b68} | fm1r_{b5}
frameio-token | fio-u-{w48} | fio-u-{w5}
gcp-api-key | AIza{w35} | AIza{w5}
gcp-oauth-token | ya29.{w38} | ya29.{w5}
gcp-oauth-secret | GOCSPX-{w28} | GOCSPX-{w5}
gcp-refresh-token | 1//0{w48} | 1//0{w5}
gcp-service-token | GOOG1E{u48} | GOOG1E{u5}
gcp-hmac-key | GOOG{u26} | GOOG{u5}
gcp-captcha-key | 6L{w46} | 6L{w5}
gemini-key | AQ.Ab8R{w38} | AQ.Ab8R{w5}
github-app-token | ghs_{n36} | ghs_{p5}
github-fine-grained-pat | github_pat_{w82} | github_pat_{w5}
github-oauth-token | gho_{n36} | gho_{n5}
github-pat | ghp_{n36} | ghp_{n5}
github-refresh-token | ghr_{n36} | ghr_{n5}
github-user-token | ghu_{n36} | ghu_{n5}
github-legacy-token | v1.{h48} | v1.{h5}
gitlab-agent-token | glagent-{w28} | glagent-{w5}
gitlab-job-token | glcbt-{w28} | glcbt-{w5}
gitlab-deploy-token | gldt-{w24} | gldt-{w5}
gitlab-flag-token | glffct-{w24} | glffct-{w5}
gitlab-feed-token | glft-{w24} | glft-{w5}
gitlab-mail-token | glimt-{w24} | glimt-{w5}
gitlab-oauth-secret | gloas-{w38} | gloas-{w5}
gitlab-pat | glpat-{w20} | glpat-{w5}
gitlab-pipeline-token | glptt-{w28} | glptt-{w5}
gitlab-registration-token | GR1348941{w24} | GR1348941{w5}
gitlab-runner-token | glrt-{w24} | glrt-{w5}
gitlab-runner-registration-token | glrtr-{w24} | glrtr-{w5}
gitlab-scim-token | glsoat-{w24} | glsoat-{w5}
gitlab-workspace-token | glwt-{w24} | glwt-{w5}
gitlab-session-cookie | _gitlab_session={h32} | _gitlab_session={h5}
gocardless-token | live_{w42} | live_{w5}
grafana-api-key | eyJrIjoi{b48} | eyJrIjoi{b5}
grafana-cloud-token | glc_{b38} | glc_{b5}
grafana-service-token | glsa_{n32}_{h8} | glsa_{n5}
groq-api-key | gsk_{n52} | gsk_{n5}
harness-pat | pat.{w18-26}.{n28} | pat.{w18-26}.{n5}
harness-service-token | sat.{w18-26}.{n28} | sat.{w18-26}.{n5}
helicone-key | sk-helicone-{w24} | sk-helicone-{w5}
heroku-api-key | HRKU-{w38} | HRKU-{w5}
honeycomb-key | hcaik_{n28} | hcaik_{n5}
honeycomb-ingest-key | hcxik_{n28} | hcxik_{n5}
honeycomb-management-key | hcxmk_{n28} | hcxmk_{n5}
hubspot-pat | pat-{na1|na2|eu1|ap1}-{h8}-{w28} | pat-{na1|na2|eu1|ap1}-{h8}-{w5}
huggingface-token | hf_{a34} | hf_{n5}
huggingface-org-token | api_org_{n32} | api_org_{n5}
infracost-token | ico-{n32} | ico-{n5}
infisical-service-token | st.{h24}.{h38} | st.{h24}.{h5}
instagram-token | IGQ{w58} | IGQ{w5}
intercom-token | dG9rO{b48} | dG9rO{b5}
intra42-secret | s-s4t2{w48} | s-s4t2{w5}
ionic-token | ion_{n38} | ion_{n5}
jina-api-key | jina_{w38} | jina_{w5}
klaviyo-key | pk_{h38} | pk_{h5}
langchain-key | lsv2_{pt|sk}_{h32} | lsv2_{pt|sk}_{h5}
langfuse-secret-key | sk-lf-{w28} | sk-lf-{w5}
langfuse-public-key | pk-lf-{w28} | pk-lf-{w5}
launchdarkly-api-key | api-{h8}-{h4}-{h4}-{h4}-{h20} | api-{h8}-{h4}-{h4}-{h4}-{h4}
launchdarkly-mobile-key | mob-{h8}-{h4}-{h4}-{h4}-{h20} | mob-{h8}-{h4}-{h4}-{h4}-{h4}
launchdarkly-sdk-key | sdk-{h8}-{h4}-{h4}-{h4}-{h20} | sdk-{h8}-{h4}-{h4}-{h4}-{h4}
lichess-pat | lip_{n24} | lip_{n5}
lichess-oauth-token | lio_{n24} | lio_{n5}
linear-api-key | lin_api_{n40} | lin_api_{n5}
linear-oauth-token | lin_oauth_{n32} | lin_oauth_{n5}
linear-webhook | lin_wh_{n32} | lin_wh_{n5}
llamacloud-key | llx-{w32} | llx-{w5}
lob-live-key | live_{h38} | live_{h5}
lob-test-key | test_{h38} | test_{h5}
mailgun-key | key-{h32} | key-{h5}
mailgun-public-key | pubkey-{h32} | pubkey-{h5}
mandrill-key | md-{w30} | md-{w5}
mapbox-secret-token | sk.eyJ{w48} | sk.eyJ{w5}
mapbox-public-token | pk.eyJ{w48} | pk.eyJ{w5}
mayday-key | mdy_{h12}_{w43} | mdy_{h12}_{w5}
mem0-key | m0-{w32} | m0-{w5}
mergify-key | mka_{w28} | mka_{w5}
mercadopago-token | APP_USR-{w38} | APP_USR-{w5}
microsoft-refresh-token | M.C{d3}{p68} | M.C{d3}{p5}
minimax-key | sk-api-{w48} | sk-api-{w5}
mongodb-atlas-secret | mdb_sa_sk_{w28} | mdb_sa_sk_{w5}
mongodb-atlas-id | mdb_sa_id_{h28} | mdb_sa_id_{h5}
netlify-token | nfp_{n36} | nfp_{n5}
netlify-cli-token | nfc_{n38} | nfc_{n5}
netlify-oauth-token | nfo_{n38} | nfo_{n5}
netlify-ui-token | nfu_{n38} | nfu_{n5}
nightfall-key | NF-{n38} | NF-{n5}
neon-api-key | napi_{n38} | napi_{n5}
newrelic-browser-key | NRJS-{h24} | NRJS-{h5}
newrelic-insert-key | NRII-{w28} | NRII-{w5}
newrelic-user-key | NRAK-{u27} | NRAK-{u5}
newrelic-admin-key | NRAA-{h28} | NRAA-{h5}
newrelic-license-key | NRAL{h28} | NRAL{h5}
newrelic-rest-key | NRRA-{h38} | NRRA-{h5}
notion-token | ntn_{d11}{n35} | ntn_{n5}
notion-integration-secret | secret_{n48} | secret_{n5}
npm-token | npm_{n36} | npm_{n5}
npm-legacy-token | NpmToken.{w38} | NpmToken.{w5}
nuget-key | oy2{l48} | oy2{l5}
nvidia-api-key | nvapi-{w38} | nvapi-{w5}
octopus-api-key | API-{u32} | API-{u5}
onfido-key | api_live.{w28} | api_live.{w5}
onfido-sandbox-key | api_sandbox.{w28} | api_sandbox.{w5}
openai-admin-key | sk-admin-{w32} | sk-admin-{w5}
openai-api-key | sk-{n20}T3BlbkFJ{n20} | sk-{n5}
openai-project-key | sk-proj-{w74}T3BlbkFJ{w74} | sk-proj-{w5}
openai-service-key | sk-svcacct-{w28} | sk-svcacct-{w5}
openrouter-key | sk-or-v1-{h32} | sk-or-v1-{h5}
openshift-token | sha256~{w38} | sha256~{w5}
paddle-api-key | pdl_{w38} | pdl_{w5}
paypal-access-token | A21AA{w68} | A21AA{w5}
paypal-braintree-token | access_token$production\${l12-20}\${h32} | access_token$production\${l12-20}\${h5}
paypal-sandbox-token | access_token$sandbox\${l12-20}\${h32} | access_token$sandbox\${l12-20}\${h5}
perplexity-key | pplx-{n48} | pplx-{n5}
persona-key | persona_{production|sandbox}_{w28} | persona_{production|sandbox}_{w5}
pinecone-key | pcsk_{w32} | pcsk_{w5}
pinterest-token | pina_{w28} | pina_{w5}
plaid-access-token | access-{sandbox|development|production}-{h8}-{w28} | access-{sandbox|development|production}-{h8}-{w5}
plaid-public-token | public-{sandbox|development|production}-{h8}-{w28} | public-{sandbox|development|production}-{h8}-{w5}
planetscale-oauth-token | pscale_oauth_{p32} | pscale_oauth_{p5}
planetscale-password | pscale_pw_{w43} | pscale_pw_{p5}
planetscale-token | pscale_tkn_{p32} | pscale_tkn_{p5}
platica-key | pl_key_{w20} | pl_key_{w4}
polar-token | polar_{oat|pat}_{w28} | polar_{oat|pat}_{w5}
supabase-secret | sb_secret_{w24} | sb_secret_{w5}
posthog-personal-key | phx_{w32} | phx_{w5}
posthog-project-key | phc_{w32} | phc_{w5}
postman-key | PMAK-{h24}-{h34} | PMAK-{h5}
prefect-token | pnu_{n36} | pnu_{n5}
prefect-bot-token | pnb_{n32} | pnb_{n5}
pubnub-publish-key | pub-c-{h8}-{w28} | pub-c-{h8}-{w5}
pubnub-subscribe-key | sub-c-{h8}-{w28} | sub-c-{h8}-{w5}
pubnub-secret-key | sec-c-{w38} | sec-c-{w5}
pulumi-token | pul-{h40} | pul-{h5}
pydantic-token | pylf_v1_{w38} | pylf_v1_{w5}
pypi-token | pypi-AgEIcHlwaS5vcmc{w70} | pypi-AgE{w5}
qaqnuz-live-key | qx_live_{w12} | qx_live_{w2}
qaqnuz-test-key | qx_test_{w12} | qx_test_{w2}
ramp-secret | ramp_sec_{n38} | ramp_sec_{n5}
razorpay-key | rzp_{live|test}_{n20} | rzp_{live|test}_{n4}
readme-key | rdme_{l38} | rdme_{l5}
render-key | rnd_{n28} | rnd_{n5}
replicate-token | r8_{n37} | r8_{n5}
resend-key | re_{n8}_{n24} | re_{n8}_{n5}
retool-token | retool_{n28} | retool_{n5}
rootly-token | rootly_{h48} | rootly_{h5}
rubygems-token | rubygems_{h48} | rubygems_{h5}
runpod-key | rpa_{n38} | rpa_{n5}
salesforce-token | 00D{n12-15}!{p48} | 00D{n12-15}!{p5}
samsara-token | samsara_api_{n28} | samsara_api_{n5}
scalingo-token | tk-us-{w38} | tk-us-{w5}
scaleway-secret | SCW{u25} | SCW{u5}
segment-token | sgp_{n38} | sgp_{n5}
sendgrid-key | SG.{w22}.{w43} | SG.{w16-32}.{w5}
sentry-org-token | sntrys_{b48} | sntrys_{b5}
sentry-user-token | sntryu_{h64} | sntryu_{h5}
settlemint-app-token | sm_aat_{n20} | sm_aat_{n4}
settlemint-pat | sm_pat_{n20} | sm_pat_{n4}
settlemint-service-token | sm_sat_{n20} | sm_sat_{n4}
shippo-token | shippo_{live|test}_{h38} | shippo_{live|test}_{h5}
shopify-access-token | shpat_{h32} | shpat_{h5}
shopify-app-token | shpca_{h32} | shpca_{h5}
shopify-partner-token | shpua_{h32} | shpua_{h5}
shopify-private-token | shppa_{h32} | shppa_{h5}
shopify-shared-secret | shpss_{h32} | shpss_{h5}
shopify-delivery-token | shpit_{h32} | shpit_{h5}
slack-app-token | xapp-1-A{u10}-{d13}-{h64} | xapp-{w5}
slack-bot-token | xoxb-{d12}-{d12}-{n24} | xoxb-{w5}
slack-config-token | xoxe.xox{a1}-{w38} | xoxe.xox{a1}-{w5}
slack-cookie | xoxd-{s28} | xoxd-{s5}
slack-legacy-token | xoxs-{w24} | xoxs-{w5}
slack-oauth-token | xoxo-{w24} | xoxo-{w5}
slack-refresh-token | xoxe-{w28} | xoxe-{w5}
slack-user-token | xoxp-{d12}-{d12}-{d12}-{h32} | xoxp-{w5}
slack-workspace-token | xoxa-{w24} | xoxa-{w5}
slack-workspace-refresh-token | xoxr-{w24} | xoxr-{w5}
slack-client-token | xoxc-{w24} | xoxc-{w5}
snyk-service-token | snyk_{uat|sat}.{w12} | snyk_{uat|sat}.{w2}
snowflake-token | ver:1-hint:{d5-20}-{b38} | ver:1-hint:{d5-20}-{b5}
sonarqube-global-token | sqa_{h38} | sqa_{h5}
sonarqube-project-token | sqp_{h38} | sqp_{h5}
sonarqube-user-token | squ_{h38} | squ_{h5}
sourcegraph-token | sgp_{h38} | sgp_{h5}
sourcegraph-instance-token | sgp_{n5-16}_{h38} | sgp_{n5-16}_{h5}
sourcegraph-cody-token | slk_{h48} | slk_{h5}
square-access-token | EAAA{w60} | EAAA{w5}
square-app-secret | sq0csp-{w32} | sq0csp-{w5}
square-oauth-token | sq0atp-{w24} | sq0atp-{w5}
square-id | sq0idp-{w24} | sq0idp-{w5}
statsig-secret | secret-{n38} | secret-{n5}
statsig-console-key | console-{n38} | console-{n5}
stripe-live-key | sk_live_{n24} | sk_live_{n3}
stripe-test-key | sk_test_{n24} | sk_test_{n3}
stripe-restricted-key | rk_live_{n24} | rk_{live|test}_{n3}
stripe-prod-key | sk_prod_{n14} | sk_prod_{n3}
stripe-publishable-key | pk_{live|test}_{n14} | pk_{live|test}_{n3}
stripe-webhook-secret | whsec_{b28} | whsec_{b5}
stripe-ephemeral-key | ek_{live|test}_{w24} | ek_{live|test}_{w5}
stytch-secret | secret-{live|test}-{w32} | secret-{live|test}-{w5}
supabase-token | sbp_{h40} | sbp_{h5}
supabase-publishable-key | sb_publishable_{w24} | sb_publishable_{w5}
tailscale-key | tskey-{w24} | tskey-{w5}
tavily-key | tvly-{w24} | tvly-{w5}
telnyx-key | KEY0{h28}_{n22} | KEY0{w5}
teamwork-token | tkn.v1_{b38} | tkn.v1_{b5}
temporal-key | tmprl_{w28} | tmprl_{w5}
tencent-secret-id | AKID{n36} | AKID{n5}
terraform-token | atlasv1.{w48} | atlasv1.{w5}
thunderstore-token | tss_{w38} | tss_{w5}
together-key | tgp_v1_{w38} | tgp_v1_{w5}
trello-token | ATTA{h48} | ATTA{h5}
tigris-key | tid_{w28} | tid_{w5}
tigris-secret | tsec_{w28} | tsec_{w5}
twilio-account-id | AC{h32} | AC{h5}
twilio-api-key | SK{h32} | SK{h5}
twitter-bearer-token | AAAAAAAAAAAAAAAAAAAA{s48} | AAAAAAAAAAAAAAAAAAAA{s5}
twitch-token | oauth:{l32} | oauth:{l5}
typeform-token | tfp_{w59} | tfp_{p5}
unkey-key | unkey_{n24} | unkey_{n5}
vault-batch-token | hvb.{w48} | hvb.{w5}
vault-recovery-token | hvr.{w24} | hvr.{w5}
vault-service-token | hvs.{w92} | hvs.{w5}
vercel-blob-token | vercel_blob_rw_{w24} | vercel_blob_rw_{w5}
vercel-token | vcp_{n28} | vcp_{n5}
vercel-integration-token | vci_{n28} | vci_{n5}
vercel-app-token | vca_{n28} | vca_{n5}
vercel-refresh-token | vcr_{n28} | vcr_{n5}
vercel-gateway-key | vck_{n28} | vck_{n5}
volcengine-key | AKLT{b38} | AKLT{b5}
voyage-key | pa-{w44} | pa-{w5}
voiceflow-key | VF.{DM|WS}.{n20-30}.{n14} | VF.{DM|WS}.{n20-30}.{n3}
wakatime-key | waka_{w32} | waka_{w5}
weights-biases-key | wandb_v1_{w32} | wandb_v1_{w5}
workos-key | sk_test_a2V5X{w28} | sk_test_{w3}
xai-key | xai-{n38} | xai-{n5}
yandex-api-key | AQVN{w38} | AQVN{w5}
yandex-cloud-token | t1.{w28} | t1.{w5}
yandex-cookie-token | y0_{w38} | y0_{w5}
yandex-static-key | YCAJE{w24} | YCAJE{w5}
yandex-secret-key | YCM{w42} | YCM{w5}
yandex-passport-token | y1_{w38} | y1_{w5}
zoho-oauth-token | 1000.{h32}.{h40} | 1000.{h32}.{h5}
zuplo-key | zpka_{l24}_{h12} | zpka_{l24}_{h2}
`;

/** The same for formats told by a vendor's name. The near miss has another length: nothing else tells the format. */
export const NAMED_FIXTURES: string = `
adafruit-key | adafruit_value: {w28} | adafruit_value: {w25}
adobe-client-id | adobe_value: {h32} | adobe_value: {h29}
airbrake-key | airbrake_value: {h32} | airbrake_value: {h29}
airtable-key | airtable_value: key{n14} | airtable_value: key{n11}
algolia-key | algolia_value: {h32} | algolia_value: {h29}
alibaba-secret-key | alibaba_value: {n30} | alibaba_value: {n27}
amplitude-key | amplitude_value: {h32} | amplitude_value: {h29}
asana-client-secret | asana_value: {n32} | asana_value: {n29}
asana-client-id | asana_value: {d16} | asana_value: {d13}
auth0-client-secret | auth0_value: {w40} | auth0_value: {w37}
azure-openai-key | azure_value: {h32} | azure_value: {h29}
azure-storage-key | azure_value: {b86} | azure_value: {b83}
baidu-key | baidu_value: {n24} | baidu_value: {n21}
bamboo-key | bamboo_value: {h40} | bamboo_value: {h37}
beamer-token | beamer_value: b_{w40} | beamer_value: b_{w37}
bitbucket-client-id | bitbucket_value: {n32} | bitbucket_value: {n29}
bitbucket-client-secret | bitbucket_value: {w64} | bitbucket_value: {w61}
bitly-token | bitly_value: {h40} | bitly_value: {h37}
bittrex-key | bittrex_value: {h32} | bittrex_value: {h29}
branch-key | branch_value: key_{live|test}_{n30} | branch_value: key_{live|test}_{n27}
bugsnag-key | bugsnag_value: {h32} | bugsnag_value: {h29}
cisco-meraki-key | meraki_value: {h40} | meraki_value: {h37}
cloudflare-api-key | cloudflare_value: {w40} | cloudflare_value: {w37}
cloudflare-global-key | cloudflare_value: {h37} | cloudflare_value: {h34}
cloudinary-secret | cloudinary_value: {w27} | cloudinary_value: {w24}
codecov-token | codecov_value: {n32} | codecov_value: {n29}
cohere-key | cohere_value: {n40} | cohere_value: {n37}
coinbase-key | coinbase_value: {w64} | coinbase_value: {w61}
confluent-key | confluent_value: {u16} | confluent_value: {u13}
confluent-api-secret | confluent_value: {b64} | confluent_value: {b61}
contentful-token | contentful_value: {w43} | contentful_value: {w40}
datadog-app-key | datadog_value: {h40} | datadog_value: {h37}
datadog-api-key | datadog_value: {h32} | datadog_value: {h29}
deepgram-key | deepgram_value: {h40} | deepgram_value: {h37}
deepseek-key | deepseek_value: {n32} | deepseek_value: {n29}
discord-client-secret | discord_value: {w32} | discord_value: {w29}
discord-public-key | discord_value: {h64} | discord_value: {h61}
docusign-key | docusign_value: {h8}-{h4}-{h4}-{h4}-{h12} | docusign_value: {h8}-{h4}-{h4}-{h4}-{h9}
droneci-token | drone_value: {n32} | drone_value: {n29}
dropbox-key | dropbox_value: {l7}7{l7} | dropbox_value: {l12}
etsy-key | etsy_value: {n24} | etsy_value: {n21}
facebook-secret | facebook_value: {h32} | facebook_value: {h29}
fastly-token | fastly_value: {w32} | fastly_value: {w29}
finicity-key | finicity_value: {h32} | finicity_value: {h29}
finicity-secret | finicity_value: {n20} | finicity_value: {n17}
finnhub-token | finnhub_value: {n20} | finnhub_value: {n17}
flickr-key | flickr_value: {h32} | flickr_value: {h29}
freshbooks-token | freshbooks_value: {n64} | freshbooks_value: {n61}
freshdesk-key | freshdesk_value: {n20} | freshdesk_value: {n17}
gitter-token | gitter_value: {w40} | gitter_value: {w37}
giphy-key | giphy_value: {n32} | giphy_value: {n29}
heroku-key | heroku_value: {h8}-{h4}-{h4}-{h4}-{h12} | heroku_value: {h8}-{h4}-{h4}-{h4}-{h9}
hubspot-key | hubspot_value: {h8}-{h4}-{h4}-{h4}-{h12} | hubspot_value: {h8}-{h4}-{h4}-{h4}-{h9}
intercom-key | intercom_value: {w60} | intercom_value: {w57}
ipstack-key | ipstack_value: {h32} | ipstack_value: {h29}
jfrog-key | jfrog_value: {n73} | jfrog_value: {n70}
jfrog-identity-token | artifactory_value: {n64} | artifactory_value: {n61}
kraken-key | kraken_value: {b80} | kraken_value: {b77}
kucoin-key | kucoin_value: {h24} | kucoin_value: {h21}
kucoin-secret | kucoin_value: {h8}-{h4}-{h4}-{h4}-{h12} | kucoin_value: {h8}-{h4}-{h4}-{h4}-{h9}
lastfm-key | lastfm_value: {h32} | lastfm_value: {h29}
linear-secret | linear_value: {h32} | linear_value: {h29}
linkedin-id | linkedin_value: {n14} | linkedin_value: {n11}
linkedin-secret | linkedin_value: {n16} | linkedin_value: {n13}
looker-id | looker_value: {n20} | looker_value: {n17}
looker-secret | looker_value: {n24} | looker_value: {n21}
mailchimp-key | mailchimp_value: {h32} | mailchimp_value: {h29}
mailjet-key | mailjet_value: {h32} | mailjet_value: {h29}
mattermost-token | mattermost_value: {l26} | mattermost_value: {l23}
messagebird-token | messagebird_value: {n25} | messagebird_value: {n22}
mixpanel-secret | mixpanel_value: {h32} | mixpanel_value: {h29}
mistral-key | mistral_value: {n32} | mistral_value: {n29}
netlify-access-token | netlify_value: {w40} | netlify_value: {w37}
newrelic-key | newrelic_value: {h40} | newrelic_value: {h37}
nytimes-token | nytimes_value: {n32} | nytimes_value: {n29}
okta-api-token | okta_value: 00{w38} | okta_value: 00{w35}
opsgenie-key | opsgenie_value: {h8}-{h4}-{h4}-{h4}-{h12} | opsgenie_value: {h8}-{h4}-{h4}-{h4}-{h9}
pagerduty-key | pagerduty_value: {w20} | pagerduty_value: {w17}
paypal-secret | paypal_value: {w60} | paypal_value: {w57}
pingdom-token | pingdom_value: {w40} | pingdom_value: {w37}
plaid-id | plaid_value: {h24} | plaid_value: {h21}
plaid-secret | plaid_value: {h30} | plaid_value: {h27}
pubnub-key | pubnub_value: {w36} | pubnub_value: {w33}
pusher-secret | pusher_value: {h20} | pusher_value: {h17}
rapidapi-key | rapidapi_value: {n50} | rapidapi_value: {n47}
sendbird-key | sendbird_value: {h40} | sendbird_value: {h37}
sentry-token | sentry_value: {h64} | sentry_value: {h61}
shodan-key | shodan_value: {n32} | shodan_value: {n29}
snyk-token | snyk_value: {h8}-{h4}-{h4}-{h4}-{h12} | snyk_value: {h8}-{h4}-{h4}-{h4}-{h9}
splunk-token | splunk_value: {h8}-{h4}-{h4}-{h4}-{h12} | splunk_value: {h8}-{h4}-{h4}-{h4}-{h9}
spotify-secret | spotify_value: {h32} | spotify_value: {h29}
sumologic-secret | sumo_value: {n64} | sumo_value: {n61}
sumologic-id | sumo_value: su{n12} | sumo_value: su{n9}
tmdb-key | tmdb_value: {h32} | tmdb_value: {h29}
travisci-token | travis_value: {w22} | travis_value: {w19}
trello-key | trello_value: {h32} | trello_value: {h29}
twilio-token | twilio_value: {h32} | twilio_value: {h29}
twitch-secret | twitch_value: {l30} | twitch_value: {l27}
twitter-api-secret | twitter_value: {n50} | twitter_value: {n47}
twitter-access-secret | twitter_value: {n45} | twitter_value: {n42}
twitter-api-key | twitter_value: {n25} | twitter_value: {n22}
unsplash-key | unsplash_value: {w43} | unsplash_value: {w40}
virustotal-key | virustotal_value: {h64} | virustotal_value: {h61}
yelp-key | yelp_value: {w60} | yelp_value: {w57}
youtube-key | youtube_value: {w39} | youtube_value: {w36}
zendesk-key | zendesk_value: {n40} | zendesk_value: {n37}
zoho-token | zoho_value: 1000.{h32} | zoho_value: 1000.{h29}
zoom-secret | zoom_value: {n32} | zoom_value: {n29}
`;

/** Fixtures of the other rules: `[id, true positives, near misses]`. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are templates of our own
export const OTHER_FIXTURES: ReadonlyArray<
  readonly [id: string, found: readonly string[], missed: readonly string[]]
> = [
  ['azure-client-secret', ['{n3}8Q~{n34}'], ['{n3}8Q~{n6}']],
  ['azure-functions-key', ['{n44}AzFu{n8}=='], ['{n12}AzFu{n8}==']],
  ['azure-devops-token', ['{n76}AZDO{n4}'], ['{n20}AZDO{n4}']],
  ['azure-cosmos-key', ['{n76}ACDb{n8}=='], ['{n10}ACDb{n8}==']],
  ['azure-storage-account-key', ['{n76}+ASt{n8}=='], ['{n10}+ASt{n8}==']],
  ['discord-bot-token', ['MT{n24}.G{n5}.{w38}'], ['MT{n24}.js']],
  ['facebook-app-token', ['{d15}|{n27}'], ['{d15}|{n5}']],
  ['mailchimp-api-key', ['{h32}-us14'], ['{h12}-us14']],
  ['maxmind-license-key', ['{n6}_{n29}_mmk'], ['{n6}_{n9}_mmk']],
  ['telegram-bot-token', ['{d10}:AA{w33}'], ['10:AA']],
  ['terraform-cloud-token', ['{n14}.atlasv1.{w60}'], ['x.atlasv1.y']],
  ['shopify-store-token', ['prtapi_{h32}'], ['prtapi_{h8}']],
  [
    'password-hash',
    ['$2b$12${n53}', '$6$salt${n86}', '$argon2id$v=19$m=65536,t=3,p=4${n22}${n43}'],
    ['costs $2 or $5', '$1$x'],
  ],
  [
    'auth-scheme',
    ['Bearer {n24}', 'Basic {n20}=='],
    ['Bearer token is missing', 'Basic authentication', 'bearer of news'],
  ],
  [
    'pem',
    ['-----BEGIN PRIVATE KEY-----\n{b64}\n-----END PRIVATE KEY-----'],
    ['-----BEGIN PUBLIC KEY-----\n{b64}\n-----END PUBLIC KEY-----', 'BEGIN PRIVATE KEY'],
  ],
  ['jwt', ['eyJhbGciOiJIUzI1NiJ9.eyJ{w24}.{w43}'], ['eyJ.x', 'keyJson.value']],
  [
    'webhook',
    ['https://hooks.slack.com/services/T{u8}/B{u8}/{n24}'],
    ['https://slack.com/help/articles/{d9}', 'https://discord.com/developers/docs'],
  ],
  [
    'command-line',
    ['--password {n10}', 'mysql -p{n10} shop'],
    ['--password-file /run/x', 'mkdir -p build/out', 'ps -p 4321'],
  ],
  [
    'auth-user',
    ['password authentication failed for user "jdoe"'],
    ['failed for user "postgres"', 'menu for user "settings"'],
  ],
  [
    'header',
    ['Authorization: {n24}', 'Cookie: a={n20}'],
    ['Authorization: Bearer <token>', 'Authorization: none'],
  ],
  [
    'query-secret',
    ['https://x.example.com/?api_key={n20}', 'https://x.example.com/?a=1&sig={n30}'],
    ['https://x.example.com/?keyword=shoes', 'https://x.example.com/?page_token=2'],
  ],
  [
    'assignment',
    ['password={n10}', '"client_secret": "{n30}"'],
    ['password: required', 'tokens: 1200', 'token = getToken()'],
  ],
  ['near-name', ['the secret that was sent, {n24}, is unknown'], ['the secret is unknown; see {uuid}']],
  [
    'token-shape',
    ['zzq_live_{n24}', 'ab_{n40}'],
    ['create_users_table_20240101', 'req_{n24}', 'sha256-{n43}'],
  ],
  [
    'url-credentials',
    ['postgres://app:{n10}@db.example.com/x'],
    ['https://www.example.com/@user', 'ssh://git@github.com/x'],
  ],
  [
    'private-host',
    ['db-1.internal', 'http://orders-api:8080/', 'getaddrinfo ENOTFOUND pg-main'],
    ['http://localhost:8080/', 'settings.local.json', 'https://example.com/'],
  ],
  ['email', ['jane.doe@example.com'], ['support@example.com', 'pkg@1.2.3', 'icon@2x.png']],
  [
    'card',
    ['4111 1111 1111 1111', '378282246310005'],
    ['4111 1111 1111 1112', '4006381333931', '1234567890123456'],
  ],
  [
    'iban',
    ['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432'],
    ['DE88 3704 0044 0532 0130 00', 'GB82WEST'],
  ],
  ['ssn', ['123-45-6789'], ['000-45-6789', '666-45-6789', '123-45-67890']],
  [
    'national-id',
    ['529.982.247-25', '12345678Z', 'RSSMRA85T10A562S', 'passport no. X1234567', 'ssn=123456789'],
    ['529.982.247-24', '12345678A', 'passport is missing', 'ssn=unknown'],
  ],
  ['birth-date', ['date of birth: 1985-03-14'], ['date of birth: unknown']],
  [
    'phone',
    ['+1 415 555 2671', '(212) 555-0187', 'tel 0171 2345678'],
    ['+0000', 'GMT+0200', '1-2-3', '112-7654321-1234567'],
  ],
  [
    'ip',
    ['10.0.0.5', '45.83.12.9', '2a02:8109::8a2e:370:7334'],
    ['version 1.2.3.4', '127.0.0.1', '0.0.0.0', 'std::vector', '256.1.1.1'],
  ],
  [
    'user-path',
    ['/home/jane/x', '/Users/jane/x', 'C:\\Users\\jane\\x'],
    ['/users/42', 'https://example.com/home/news', '/home/user/x', 'C:\\Users\\Public\\x'],
  ],
  [
    'stack',
    ['Error: x\n    at f (/srv/a.js:1:2)', 'x\n\tat a.B.c(B.java:3)', '  File "/srv/a.py", line 3, in f'],
    ['we met at noon', 'look at (this)', 'File "x" is missing'],
  ],
  ['sql-literal', ["SELECT a FROM t WHERE b = 'zoe'"], ["select one from 'a' or 'b'", "it's where 'x' is"]],
  [
    'sql-echo',
    ["Duplicate entry 'zoe' for key 'name'", 'Key (name)=(zoe) already exists'],
    ['Duplicate entry', 'Key (name) is missing'],
  ],
  ['base64', ['YWRtaW46aHVudGVyMjI='], ['aGVsbG8gd29ybGQgaGVsbG8=']],
];
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are templates of our own
