/** Names of joints of fingers, in any of the usual vocabularies: their last bones get tips, without which they would not bend. */
export const FINGER_NAME = /thumb|index|middle|ring|little|pinky|finger/i;
