/** Things as clients of services, databases and tools name them: in brackets, behind what tells them apart, in front. */
import type { OfThing } from './things.fixture.ts';

/** What is named plainly, by form. */
export const OF_CLIENTS: { readonly [form: string]: readonly OfThing[] } = {
  'in brackets': [
    ['Cluster (eu-1) not found', 'cluster', 'eu-1'],
    ['Collection [notes] does not exist', 'collection', 'notes'],
    ['no such index [logs-2025]', 'index', 'logs-2025'],
    ['Alias [current] already exists', 'alias', 'current'],
    ['Volume (vol-17) is locked', 'volume', 'vol-17'],
    ['Could not find bucket [assets]', 'bucket', 'assets'],
    ['collection not found[database=default][collection=items]', 'collection'],
    ['[jobs] Queue mails not found', 'queue', 'mails'],
  ],
  'behind what tells it apart': [
    ["No project could be found with key 'ABC'.", 'project', 'ABC'],
    ['We couldn\'t find a team with the key "OPS"', 'team', 'OPS'],
    ["Couldn't find Booking with 'id'=42", 'booking', '42'],
    ["Couldn't find Booking with id=42", 'booking', '42'],
    ['Booking with id = 42 not found', 'booking', '42'],
    ['Element with ref e12 not found in the current page snapshot', 'element', 'e12'],
    ["Could not resolve to a Repository with the name 'acme/none'.", 'repository', 'acme/none'],
    ['Could not resolve to an Issue with the number of 9999.', 'issue', '9999'],
    ["Could not resolve to a node with the global id of 'MDQ6'", 'node', 'MDQ6'],
    ['No coupon with code SPRING26 was found', 'coupon'],
    ['A webhook with the url https://acme.example/h already exists', 'webhook', 'https://acme.example/h'],
    ['No pipeline was found by name "nightly"', 'pipeline', 'nightly'],
  ],
  'in front of what is said': [
    ['Error response from daemon: get data_vol: no such volume', 'volume', 'data_vol'],
    ['web-1: no such container', 'container', 'web-1'],
    ['open notes-2: no such bucket', 'bucket', 'notes-2'],
    ['E_MISSING: no such volume', 'volume'],
  ],
  'with a number that could be a status': [
    ['Job 551 does not exist', 'job', '551'],
    ['Room with ID 404 does not exist', 'room', '404'],
    ['Request failed with status code 404: Room 9 not found', 'room', '9'],
    ['HTTP 404 Project not found', 'project'],
    ['404 Project not found', 'project'],
  ],
  'of a type as programs write it': [
    ["No such payment_intent: 'pi_3Nx'", 'payment_intent', 'pi_3Nx'],
    ['Could not resolve to a PullRequest with the number of 77.', 'pull_request', '77'],
    ['The room with room_id: `r9` was not found', 'room', 'r9'],
    ['There is no environment named staging in project web', 'environment', 'staging'],
  ],
  'said otherwise': [
    ['Voice "nova2" is not available', 'voice', 'nova2'],
    ['Project apollo-9 is not known', 'project', 'apollo-9'],
    ['Unrecognized region: mars-1', 'region', 'mars-1'],
    ['Unrecognised voice "nova2"', 'voice', 'nova2'],
    ['Unable to locate image alpine:nope', 'image', 'alpine:nope'],
    ['image acme/api:9 not found', 'image', 'acme/api:9'],
    ['The room you asked for does not exist', 'room'],
    ['No bookings were found with the reference "A-17"', 'booking', 'A-17'],
  ],
};

/** Nothing here names a thing. */
export const OF_NO_CLIENT: readonly string[] = [
  'Nothing could be found with that',
  'ERR_FAILED: not found',
  'Could not resolve to an address',
  'Feature "search" is not available',
  '[error] not found',
];
