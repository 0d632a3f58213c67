// @ts-check
/**
 * The commands whose outputs are hashed: each command of pelt, each method and each form of output, on small files that
 * the tests make as well. A command may read what an earlier one of its folder has written.
 *
 * @typedef {object} Command
 * @property {'chain' | 'creature' | 'body' | 'face'} folder  where it runs
 * @property {string} args
 * @property {true} [quick]  in the short list that `npm test` runs with one and with two threads
 */

/** @type {readonly Command[]} */
export const COMMANDS = [
  ...inFolder('chain', [
    'info rest.obj clip.pc2 clip.mdd clip.abc morph.glb character.glb walk.bvh scans/scan1.ply',
    'convert rest.obj clip.pc2 -o morphed.glb',
    'convert rest.obj clip.pc2 -o archive.abc',
    'convert clip.abc --fps 12 -o slow.glb',
    'convert frames --fps 30 -o frames.mdd',
    'convert scans -o scans.pc2',
    'convert character.glb --fps 24 -o again/pose-####.ply',
    'convert character.glb --compress meshopt -o packed-character.glb',
    'convert morph.glb --compress meshopt -o packed-morph.glb',
    'convert character.glb --frame rest -o character.obj',
    'convert character.glb --vat png -o texture.glb',
    'fit rest.obj clip.pc2 --bones 4 --compress meshopt -o packed.glb',
    'fit rest.obj --clip swing=clip.pc2 --clip back=clip.mdd --bones 4 -o clips.glb',
    'fit frames --max-error 6 -o small.glb',
    'fit rest.obj clip.pc2 --lock weights --rig character.glb -o locked.glb',
    'fit rest.obj clip.pc2 --bones 3 --eigenskin 2 -o eigenskin.glb',
    'fit rest.obj clip.pc2 --bones 4 --chunk 64 --sample-vertices 80 -o chunks.glb',
    'fit rest.obj clip.pc2 --bones 4 --root full -o root.glb',
    'skeleton rest.obj clip.pc2 -o jointed.glb',
    'skeleton rest.obj clip.pc2 -o motion.bvh',
    'skeleton rest.obj clip.pc2 --method le-deng -o le-deng.glb',
    'skeleton rest.obj clip.pc2 --method schaefer-yuksel -o schaefer-yuksel.glb',
    'skeleton rest.obj clip.pc2 --method de-aguiar -o de-aguiar.glb',
    'skeleton rest.obj clip.pc2 --method hasler -o hasler.glb',
    'skeleton frames --skeleton character.glb -o mine.glb',
    'reduce character.glb --max-error 5mm -o thin.glb',
    'reduce character.glb rest.obj clip.pc2 --compress meshopt -o reduced.glb',
    'compare rest.obj clip.pc2 packed.glb',
    'study rest.obj clip.pc2 --bones 2,4 --copies 0 -o study.html',
    'view character.glb -o page.html',
  ]),
  ...inFolder('creature', [
    { args: 'fit rest.obj clip.pc2 --bones 8 -o fitted.glb', quick: true },
    'fit rest.obj clip.pc2 --bones auto -o auto.glb',
    'fit rest.obj clip.pc2 --bones 8 --smooth 1 --rest-pose keep -o smooth.glb',
    'fit rest.obj clip.pc2 --bones 8 --start regions --weights 8 -o regions.glb',
    'fit rest.obj clip.pc2 --bones 8 --method affine -o affine.glb',
    'fit rest.obj clip.pc2 --bones 8 --method sma -o sma.glb',
    'fit rest.obj clip.pc2 --bones 8 --method lssp -o lssp.glb',
    { args: 'skeleton rest.obj clip.pc2 --bones 8 -o jointed.glb', quick: true },
    'skeleton rest.obj clip.pc2 --bones 8 --symmetry --keep-rest --names vrm -o paired.glb',
    'reduce character.glb --weights 2 -o light.glb',
    'reduce character.glb --weights 2 --method smooth -o smooth-weights.glb',
    'reduce character.glb --weights 2 --method geometric -o geometric.glb',
    'reduce character.glb --weights 2 --method poisson -o poisson.glb',
    'reduce character.glb --weights 2 --method k-largest --compress meshopt -o largest.glb',
    'reduce character.glb --bones 6 -o fewer-bones.glb',
    'reduce character.glb --budget 12 -o tiny.glb',
    { args: 'reduce character.glb --method two-layer --virtual 12 -o layers.glb', quick: true },
    'reduce character.glb --method two-layer --virtual 12 --masters -o masters.glb',
    'envelope character.glb rest.obj clip.pc2 --proxies 12 -o learnt.glb',
    'envelope character.glb rest.obj clip.pc2 --predictor wang --reduce wang --proxies 12 -o thesis.glb',
    'envelope character.glb rest.obj clip.pc2 --predictor psd -o psd.glb',
    'envelope character.glb rest.obj clip.pc2 --predictor ssd -o ssd.glb',
    'envelope character.glb rest.obj clip.pc2 --predictor mohr-gleicher -o mohr-gleicher.glb',
    'envelope character.glb rest.obj clip.pc2 --train 1,3,5 --proxies 8 --bake -o baked.glb',
    { args: 'pose rest.obj --examples clip.pc2 --controls 6 --save poser.glb', quick: true },
    'pose poser.glb --handle 0=0,0,0 --handle 140=1,0.5,0 -o posed.obj',
    'pose character.glb --handle 140=1,0.5,0 -o posed.glb',
    'puppet person.glb --motion me.bvh -o walking.glb',
    'puppet dog.glb --pairs dog.json --motion me.bvh -o performed.glb',
    'puppet dog.glb --pairs dog.json --motion me.bvh --parts body --contacts auto -o feet.glb',
    'puppet dog.glb --motion me.bvh --suggest 4 -o suggested.json',
    'clean walking.glb -o cleaned.glb',
  ]),
  ...inFolder('body', [
    { args: 'volume body.obj --rig character.glb -o moved.pc2', quick: true },
    'volume body.obj --rig character.glb --method budd-hilton -o budd-hilton.pc2',
    'volume body.obj --rig character.glb --bones 6 -o moved.glb',
    'volume body.obj --rig character.glb --constraints rings.txt -o rings.pc2',
    'volume body.obj --bvh walk.bvh --landmarks joints.json --step 4 -o walking.pc2',
    'volume body.obj --rig character.glb --examples half.obj bent.obj --at 3,5 -o shaped.pc2',
  ]),
  ...inFolder('face', [
    'sliders face.glb --bones 8 --weights 4 -o sliders.glb',
    'sliders neutral.obj --transfer sliders.glb -o transferred.glb',
    'sliders --rest neutral.obj shapes --bones 8 --weights 4 --poses --compress none -o poses.glb',
  ]),
];

/**
 * @param {Command['folder']} folder
 * @param {(string | Omit<Command, 'folder'>)[]} commands
 * @returns {Command[]}
 */
function inFolder(folder, commands) {
  return commands.map((command) => ({ folder, ...(typeof command === 'string' ? { args: command } : command) }));
}
