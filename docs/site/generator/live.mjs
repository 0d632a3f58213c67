// @ts-check
/**
 * Live examples of pages: a frame with a button, in which client/live starts the example. Without scripts the frame says
 * what would be there.
 */

/** What each example shows, and how it is used. @type {Readonly<Record<string, { title: string, text: string }>>} */
export const LIVE = {
  fit: {
    title: 'Fit the arm with as many bones as you like',
    text: 'The slider sets the number of bones; each fit is computed in this page. Left the input, right the fit.',
  },
  skeleton: {
    title: 'Turn the joints that were found',
    text: 'The skeleton was extracted from the frames of the walk alone. Choose a joint and turn it.',
  },
  reduce: {
    title: 'Fewer weights, truncated or refitted',
    text: 'A rig with eight weights per vertex, reduced; coloured by its distance from the original.',
  },
  envelope: {
    title: 'Turn the elbow',
    text: 'Left the skin learnt from three poses, right linear blend skinning of the same file.',
  },
  pose: {
    title: 'Drag the skin',
    text: 'Press on the creature and move. Shift and press pins a point. Or choose a point and use the sliders.',
  },
  volume: {
    title: 'Turn the joint of a solid body',
    text: 'From left to right: linear blending, dual quaternions, the volume; with the enclosed volume in per cent of that at rest.',
  },
  puppet: {
    title: 'A performer drives an octopus',
    text: 'The stick figure performs; pairs of poses say how the character answers. Take over with the sliders.',
  },
  three: {
    title: 'A crowd in one draw call',
    text: 'Every creature is at its own place in the clip; the slider sets their number.',
  },
};

/** @param {string} name */
export function liveFrame(name) {
  const example = LIVE[name];
  if (!example) throw new Error(`docs: there is no live example '${name}'; there are ${Object.keys(LIVE).join(', ')}`);
  return `<section class="live" data-live="${name}" aria-label="Live example: ${example.title}">
<div class="live-stage"><button type="button" class="live-start" disabled><span aria-hidden="true">▶</span> Start the live example</button></div>
<div class="live-panel"><div class="live-words"><strong>${example.title}</strong><p>${example.text}</p></div><div class="live-controls"></div><p class="live-status" role="status"></p></div>
<noscript><p class="live-status">This example needs JavaScript and WebGL.</p></noscript>
</section>
`;
}
