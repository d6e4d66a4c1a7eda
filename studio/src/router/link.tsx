import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { navigate } from "./use-location.ts";

/** A link within the studio. A click with a modifier opens it as the browser does. */
export function Link({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
