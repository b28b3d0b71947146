// SPDX-License-Identifier: Apache-2.0
/** What stands between an Envoy and its control plane, and stops what they say to one another. */
@NullMarked
package dev.holdfast.interop.serve.relay;

import org.jspecify.annotations.NullMarked;
