// The part of the page that the screen shows. A phone zooms out of a page that is wider than its screen, and readers zoom in:
// `position: fixed` alone would then put the switcher outside of the screen, or show it too small to read.

/** Width that the switcher takes at most, with its margins, in CSS pixels. */
const MAX_WIDTH = 344;

/**
 * Keeps `box` over what the screen shows. Zoomed out, it is as large as on a page that fits; zoomed in, it grows with the
 * page as far as the screen has room.
 */
export const keepInView = (box) => {
  const view = window.visualViewport;
  const place = () => {
    const { offsetLeft, offsetTop, width, height, scale } = view;
    const factor = Math.max(1 / scale, Math.min(1, width / MAX_WIDTH));
    Object.assign(box.style, {
      left: `${offsetLeft}px`,
      top: `${offsetTop}px`,
      width: `${width / factor}px`,
      height: `${height / factor}px`,
      transform: factor === 1 ? '' : `scale(${factor})`,
    });
  };
  view.addEventListener('resize', place);
  view.addEventListener('scroll', place);
  place();
};
