/** A joint with less confidence than this is lost: what its tracker says of it is not used. */
export const LOST_CONFIDENCE = 0.3;
