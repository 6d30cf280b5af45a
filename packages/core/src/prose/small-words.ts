/** Words that carry nothing, that deny, and that are one with the next: whatever phrases there are. */

/** Two words that are one. */
export const PAIRS: readonly string[] = [
  'api key apikey',
  'api keys apikey',
  'access key apikey',
  'secret key apikey',
  'access token apikey',
  'access tokens apikey',
  'environment variable envvar',
  'environment variables envvar',
  'env var envvar',
  'env vars envvar',
  'env variable envvar',
  'env variables envvar',
];

/** Words that carry nothing. */
export const STOP_WORDS =
  'the a an is was were are be been being has had do does did can could will would may might its it this that these those your our their of for to in on at by from as with and or you we i de la le el los las del des der du da dos les une una se';

/** Words that only negate. */
export const NOT_WORDS =
  'doesnt dont didnt isnt wasnt arent cant cannot couldnt wont wouldnt hasnt havent mustnt shouldnt werent';
