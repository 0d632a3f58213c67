/** Names apart from their codecs, for pages that load a codec only with a file that needs it. */

export const BODY_EXTENSION = 'PELT_body';
export const PUPPET_EXTENSION = 'PELT_puppet';
