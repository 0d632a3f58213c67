/** Confidence below which a joint is lost: its tracked position is not used. */
export const LOST_CONFIDENCE = 0.3;
