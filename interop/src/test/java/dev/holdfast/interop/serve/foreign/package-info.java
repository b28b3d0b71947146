// SPDX-License-Identifier: Apache-2.0
/** gRPC clients of other languages, which get their routes from the control plane. */
@NullMarked
package dev.holdfast.interop.serve.foreign;

import org.jspecify.annotations.NullMarked;
