// What the panel sends at most, and what the host takes. A message beyond these is dropped.

/** A prompt with more names is refused. */
export const MAX_MENTIONS = 40;
export const MAX_MENTION_CHARACTERS = 4_200;
/** The files and folders of one drop. */
export const MAX_DROPPED_URIS = 200;
export const MAX_URI_CHARACTERS = 4_096;
/** Of a text file that is added with its content. */
export const MAX_PASTED_CHARACTERS = 200_000;
/** Of such a file, and of an image. */
export const MAX_FILE_NAME = 300;
/** The paths and symbols of one question for places. */
export const MAX_PLACE_NAMES = 100;
export const MAX_PLACE_CHARACTERS = 300;
export const MAX_LINK_TEXT = 4_096;
