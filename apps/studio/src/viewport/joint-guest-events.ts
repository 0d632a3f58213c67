/** What a hand on joints tells the panel beside it. */
export interface JointGuestEvents {
  /** Another joint is the one that turns. */
  onChoose(joint: number): void;
  /** Joints have turned, or the shape has followed them. */
  onTurn(): void;
  /** After a step of the hand, which undo takes back. */
  onStep(label: string): void;
  onError(error: Error): void;
}
