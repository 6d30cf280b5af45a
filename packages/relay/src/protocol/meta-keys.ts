/** Keys of `_meta` that mean something to a relay. */

/** Which revision a message follows. */
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** What the client can do. */
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
/** The request that a notification belongs to. */
export const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';
/** Who answers, where there is no `initialize`. */
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
