// SPDX-License-Identifier: Apache-2.0
/** The whole control plane, with real proxies. */
@NullMarked
package dev.holdfast.interop.serve;

import org.jspecify.annotations.NullMarked;
