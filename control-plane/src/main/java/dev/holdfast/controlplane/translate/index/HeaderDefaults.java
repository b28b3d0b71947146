// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;

/**
 * Changes of headers that the operator makes for every service, unless a route or service changes
 * the same header.
 *
 * @param ingresses whether they also count for services of Ingresses
 */
public record HeaderDefaults(HeadersPolicy request, HeadersPolicy response, boolean ingresses) {
  /** No changes. */
  public static final HeaderDefaults NONE =
      new HeaderDefaults(HeadersPolicy.NONE, HeadersPolicy.NONE, /* ingresses= */ false);
}
