// SPDX-License-Identifier: Apache-2.0
/** Routes, virtual hosts and the filter configuration of both. */
@NullMarked
package dev.holdfast.controlplane.translate.proto.route;

import org.jspecify.annotations.NullMarked;
