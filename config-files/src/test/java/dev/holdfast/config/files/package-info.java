// SPDX-License-Identifier: Apache-2.0
@NullMarked
package dev.holdfast.config.files;

import org.jspecify.annotations.NullMarked;
