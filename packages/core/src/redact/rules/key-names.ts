/** What stands under a name that ends with `key`: most things have keys, and only some of them open anything. */

/**
 * `credentials`: a setting's or a vendor's; whatever looks random is one. `unknown`: as nobody knows whose it is, ids that are known
 * by their form stay. `either`: of what has ids and credentials, and of nothing named. `ids`: of things that are only looked up.
 */
export type KeyHolds = 'credentials' | 'unknown' | 'either' | 'ids';

/** Of these a key only says which one it is. */
const IDS = wordsOf(
  'foreign unique partition sort cache idempotency hot object row project issue composite candidate range hash map lookup translation index group natural surrogate query json dict config property feature flag metric column field arrow shortcut etag last s3 blob file document doc folder image img item record node page sheet space board ticket setting message locale attribute meta metadata entity resource asset media thumbnail photo video upload download path route queue topic event job task cart order product article template component style layer variable widget chart dashboard report window tab menu option label name text i18n string data dataset state artifact package module dedup deduplication dedupe lock shard region zone external business tag workflow memory kv note parent child entry section category epic sprint campaign invoice payment transaction batch step branch version environment translated keyboard modifier',
);
/** These have both: the key of a user is an id here and a credential there. */
const EITHER = wordsOf(
  'primary secondary routing host storage search user team org organization organisation redis registry tenant customer workspace unknown missing required invalid extra unrecognized unexpected duplicate illegal bad wrong such specified given',
);

/** Whose keys are credentials: those who sell or run what a program is let in by them. */
const VENDORS = wordsOf(
  'ably adyen airtable alchemy algolia alphavantage amadeus amplitude anthropic asana assemblyai atlas auth0 aws azure b2 backblaze binance bing bitbucket brave braintree brevo bugsnag censys circleci claude clerk cloudflare cloudinary cockroach codecov cohere coinbase confluent contentful cosmos cosmosdb databricks datadog deepgram deepl deepseek digitalocean discord docker doppler dropbox ebay elastic elasticsearch elevenlabs etherscan eventgrid eventhub eventhubs exa fastly fcm figma finnhub firebase firecrawl fireworks flickr foursquare freshdesk gcp gemini geocoding ghost giphy github gitlab google grafana groq gumroad heroku hetzner honeycomb hubspot huggingface ibm infura intercom iot iothub jina kagi klaviyo kraken langfuse langsmith launchdarkly linear linode lob loggly logdna mailchimp mailgun mailjet mandrill mapbox maptiler meili meilisearch messagebird minio mistral mixpanel mongodb nasa neon netlify newrelic ngrok notion npm okta omdb openai opencage openrouter opensearch openweather openweathermap opsgenie pagerduty papertrail paypal perplexity pexels pinecone pingdom pixabay plaid polygon postmark posthog pubnub pushbullet pusher pushover qdrant quandl rapidapi razorpay replicate resend rollbar salesforce segment sendgrid sentry serpapi serper servicebus shippo shodan shopify signalr slack snyk sparkpost speech splunk spotify square stability stripe supabase tavily telegram together tomtom translator trello twilio twitch twitter typeform typesense unsplash upstash vercel virustotal vision vonage voyage vultr wasabi weatherapi weaviate wolfram wordnik xai youtube zapier zendesk zoom',
);

const ENDS_WITH_KEY = /keys?\d?$/;
/** In a sentence any word may stand before the word itself: `Deleting key …`. */
const SAID = /\skeys?\d?$/i;

/** A setting, as programs are started with: in capitals, of more than one word. */
const SETTING = /^[A-Z][A-Z\d_]*_KEY\d?$/;
/** Codes of errors are in capitals too, and so are these, whoever sets them. */
const NO_SETTING =
  /(?:^|_)(?:PUBLIC|IDEMPOTENCY|FOREIGN|DUP|DUPLICATE|INVALID|UNKNOWN|MISSING|SUCH|NO|BAD)_KEY\d?$/;

/** What the key of a thing holds, or what is called like one; `undefined` for all other names. `plain`: without case and separators. */
export function keyOfThing(name: string, plain: string): KeyHolds | undefined {
  if (!ENDS_WITH_KEY.test(plain)) {
    return undefined;
  }
  const words = wordsIn(name);
  const last = words.at(-1)?.replace(ENDS_WITH_KEY, '') ?? '';
  const thing = last === '' ? (words.at(-2) ?? '') : last;
  const isOfIds = IDS.has(thing);
  if (!(isOfIds || EITHER.has(thing))) {
    return undefined;
  }
  if (isSetting(name) || (!isOfIds && words.some((word) => VENDORS.has(word)))) {
    return 'credentials';
  }
  return isOfIds ? 'ids' : 'either';
}

/** What any other key holds; `undefined` for what is called otherwise. */
export function keyHolds(name: string, plain: string): KeyHolds | undefined {
  if (!ENDS_WITH_KEY.test(plain)) {
    return undefined;
  }
  const words = wordsIn(name);
  if (isSetting(name) || words.some((word) => VENDORS.has(word))) {
    return 'credentials';
  }
  const isAlone = plain.replace(ENDS_WITH_KEY, '') === '';
  return isAlone || SAID.test(name) ? 'either' : 'unknown';
}

function isSetting(name: string): boolean {
  const last = name.split(/[^\w]+/).at(-1) ?? '';
  return SETTING.test(last) && !NO_SETTING.test(last);
}

/** The words of a name, without case. */
function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

/* @__NO_SIDE_EFFECTS__ */
function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
