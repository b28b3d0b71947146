// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.envoy.api;

import org.jspecify.annotations.NullMarked;
